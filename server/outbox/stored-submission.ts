import * as z from 'zod';
import { tryParseJson } from '../../brand/profile/strict-json.ts';
import { CONFIRMATIONS, MODES } from '../../tools/deliver.ts';
import type { SqlRow } from './sql.ts';

export type Part = 'team' | 'confirm';

const atMs = z.number().nullable();

const jsonOf = (text: unknown): unknown => (typeof text === 'string' ? tryParseJson(text) : text);

/** A submission with everything that is known of it, as the table holds it. */
export const Stored = z.object({
  id: z.string(),
  /** `ABCD-1234`: what people, agents, mails and the log call it. */
  reference: z.string(),
  kind: z.string(),
  channel: z.enum(['rest', 'form', 'mcp', 'stdio', 'a2a']),
  mode: z.enum(MODES),
  language: z.string(),
  received_at: z.number(),
  /** Within this time the sender was promised an answer: pending for longer is overdue. */
  promised_ms: z.number(),
  /** `null` once erased, and where they cannot be read. */
  fields: z.preprocess(jsonOf, z.record(z.string(), z.string()).nullable()).catch(null),
  suspect: z.number().transform(value => value === 1),
  /** Who it is owed to: `pending` to the team. */
  state: z.enum(['pending', 'delivered', 'abandoned']),
  /** Background attempts at the mail that is owed now. */
  tries: z.number(),
  due_at: atMs,
  /** Until then one process alone sends its mails. */
  lease_until: atMs,
  delivered_at: atMs,
  mail_id: z.string().nullable(),
  confirmation: z.enum(CONFIRMATIONS),
  /** Why it was skipped or failed. */
  confirmation_note: z.string().nullable(),
  finished_at: atMs,
  abandoned_by: z.string().nullable(),
  erased_at: atMs,
  /** The `id` of the request's line in the log. */
  request: z.string().nullable(),
});

export type Stored = Readonly<z.output<typeof Stored>>;

/**
 * Another program has written what stands there: this one cannot be mailed, and keeps no other from its mail.
 */
export const isUnreadable = ({ fields, erased_at }: Pick<Stored, 'fields' | 'erased_at'>): boolean =>
  fields === null && erased_at === null;

export const stored = (row: SqlRow): Stored => Stored.parse(row);

/** So long a mail is tried, and a confirmation may wait for room. */
export const TRIED_FOR_MS = 48 * 3_600_000;

export type ShownState = 'pending' | 'overdue' | 'delivered' | 'written' | 'abandoned';

/** The state in an operator's words: a dry run delivers nothing, it writes files. */
export function shownState(
  { state, mode, received_at, promised_ms }: Pick<Stored, 'state' | 'mode' | 'received_at' | 'promised_ms'>,
  nowMs: number,
): ShownState {
  if (state === 'pending') return nowMs >= received_at + promised_ms ? 'overdue' : 'pending';
  return state === 'delivered' && mode === 'dry-run' ? 'written' : state;
}
