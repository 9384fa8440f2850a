import * as z from 'zod';
import { tryParseJson } from '../../brand/profile/strict-json.ts';
import { DELIVERY_STATES, MODES, type Mode } from '../../tools/deliver.ts';
import { type Database, numberOf, type Query, type Sql, sql } from './sql.ts';

/** The deliveries of a submission: mail to the team, confirmation to the sender, event of the webhook. */
export const PARTS = ['team', 'confirm', 'webhook'] as const;

export type Part = (typeof PARTS)[number];

const timeMs = z.number().nullable();

const parsedJson = (text: unknown): unknown => (typeof text === 'string' ? tryParseJson(text) : text);

/** A submission with the state of its team's mail. */
const Stored = z.object({
  id: z.string(),
  /** `BCDF-1234`: its name for people, agents, mails and the log. */
  reference: z.string(),
  kind: z.string(),
  channel: z.enum(['rest', 'form', 'mcp', 'stdio']),
  mode: z.enum(MODES),
  language: z.string(),
  received_at: z.number(),
  /** Time of the promised reply. If the mail is pending later, it is overdue. */
  promised_at: z.number(),
  /** `null` where nobody can read what stands there. */
  fields: z.preprocess(parsedJson, z.record(z.string(), z.string()).nullable()).catch(null),
  suspect: z.number().transform(value => value === 1),
  /** State of the team's mail, as all members up to `reply`. */
  state: z.enum(DELIVERY_STATES),
  /** Failed tries. */
  tries: z.number(),
  due_at: timeMs,
  lease_until: timeMs,
  /** When it arrived. */
  done_at: timeMs,
  /** Why the last try failed. */
  note: z.string().nullable(),
  /** Reply of the mail server. It may name a person. */
  reply: z.string().nullable(),
  confirmation: z.enum(['none', ...DELIVERY_STATES]),
  confirmation_note: z.string().nullable(),
  webhook: z.enum(['none', ...DELIVERY_STATES]),
  webhook_note: z.string().nullable(),
});

export type Stored = Readonly<z.output<typeof Stored>>;

const RECORDS = sql`
  SELECT submissions.*, team.state, team.tries, team.due_at, team.lease_until, team.done_at,
    team.note, team.reply,
    COALESCE(confirm.state, 'none') AS confirmation, confirm.note AS confirmation_note,
    COALESCE(webhook.state, 'none') AS webhook, webhook.note AS webhook_note
  FROM submissions
  JOIN deliveries AS team ON team.submission = id AND team.part = 'team'
  LEFT JOIN deliveries AS confirm ON confirm.submission = id AND confirm.part = 'confirm'
  LEFT JOIN deliveries AS webhook ON webhook.submission = id AND webhook.part = 'webhook'`;

/** Selects submissions. @param end `WHERE`, `ORDER BY` and `LIMIT` of the statement */
export async function select(query: Query, end: Sql): Promise<Stored[]> {
  const rows = await query(sql`${RECORDS} ${end}`);
  return rows.map(row => Stored.parse(row));
}

/**
 * A submission by id or reference, in upper or lower case.
 * @example const submission = await find(database.query, 'BCDF-1234');
 */
export async function find(query: Query, name: string): Promise<Stored | undefined> {
  const [record] = await select(query, sql`WHERE id = ${name} OR reference = ${name.toUpperCase()}`);
  return record;
}

export const isOverdue = (nowMs: number) => sql`team.state = 'pending' AND promised_at <= ${nowMs}`;

export type ListedState = 'pending' | 'overdue' | 'delivered';

/** The newest submissions, oldest of them first. */
export async function list(
  { query }: Database,
  { state, limit }: { readonly state?: ListedState | undefined; readonly limit: number },
  nowMs: number,
): Promise<Stored[]> {
  const ofState = state === 'overdue' ? isOverdue(nowMs) : sql`team.state = ${state ?? ''}`;
  const which = state === undefined ? sql`` : sql`WHERE ${ofState}`;
  const newest = await select(query, sql`${which} ORDER BY received_at DESC, id DESC LIMIT ${limit}`);
  return newest.reverse();
}

/** Rows of one statement, to bound memory. */
const PAGE = 500;

/** All submissions, oldest first. @param recipient hash of a mailbox: only its submissions */
export async function* all({ query }: Database, recipient?: string): AsyncGenerator<Stored> {
  const ofRecipient = recipient === undefined ? sql`` : sql`AND recipient = ${recipient}`;
  let last: Pick<Stored, 'received_at' | 'id'> | undefined = { received_at: -1, id: '' };
  while (last) {
    const page: Stored[] = await select(
      query,
      sql`WHERE (received_at, id) > (${last.received_at}, ${last.id}) ${ofRecipient}
        ORDER BY received_at, id LIMIT ${PAGE}`,
    );
    yield* page;
    last = page.at(-1);
  }
}

export const countOf = async (query: Query): Promise<number> =>
  Number(await numberOf(query, sql`SELECT COUNT(*) FROM submissions`));

/** Number of submissions that are overdue. */
export const countOverdue = async ({ query }: Database, nowMs: number): Promise<number> =>
  Number(
    await numberOf(
      query,
      sql`SELECT COUNT(*) FROM deliveries AS team JOIN submissions ON id = submission
        WHERE part = 'team' AND ${isOverdue(nowMs)}`,
    ),
  );

/** Number of submissions in each state. */
export async function countStates({ query }: Database, mode: Mode): Promise<Map<string, number>> {
  const rows = await query(sql`
    SELECT state, COUNT(*) AS count FROM deliveries
    WHERE part = 'team' AND mode = ${mode} GROUP BY state`);
  return new Map(rows.map(({ state, count }) => [String(state), Number(count)]));
}

/** Since when the oldest pending delivery of a part waits, in milliseconds since 1970. */
export const oldestPendingMs = ({ query }: Database, part: Part, mode: Mode): Promise<number | undefined> =>
  numberOf(
    query,
    sql`SELECT MIN(received_at) FROM deliveries JOIN submissions ON id = submission
      WHERE part = ${part} AND state = 'pending' AND deliveries.mode = ${mode}`,
  );
