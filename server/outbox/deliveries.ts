import * as z from 'zod';
import type { DeliveryState, Mode } from '../../tools/deliver.ts';
import type { Policies } from '../../tools/policies.ts';
import { MINUTE_MS } from '../config/timing.ts';
import { type Database, listOf, numberOf, type Query, sql } from './sql.ts';
import { PARTS, type Part } from './stored-submission.ts';

// The table `deliveries` is the queue of mails and events. Each row is due at a time; the process that sends
// it has its lease.

/** The deliveries of one mode in a database that any number of processes may use at once. */
export interface Store {
  readonly database: Database;
  readonly mode: Mode;
  /** Duration of a lease, longer than the slowest send. A lease that ends later is of a wrong clock. */
  readonly leaseMs: number;
  /** The name under which this process leases. */
  readonly leaseholder: string;
  /** The hourly limits. */
  readonly policies: Policies;
  /** Whether submissions also go to a webhook. */
  readonly hasWebhook: boolean;
}

const Delivery = z.object({
  submission: z.string(),
  part: z.enum(PARTS),
  state: z.string(),
  tries: z.number(),
  note: z.string().nullable(),
  /** When the last try failed, or the delivery began. */
  planned_at: z.number(),
});

export type Delivery = Readonly<z.output<typeof Delivery>>;

/** A clock may go back this far. A plan from further in the future counts as due. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** Leases the delivery that is due for longest; of equals, the one with the fewest failures. */
export async function leaseDue(
  { database, mode, leaseholder, leaseMs }: Store,
  parts: readonly Part[],
  nowMs: number,
): Promise<Delivery | undefined> {
  const [row] = await database.query(sql`
    UPDATE deliveries SET lease = ${leaseholder}, lease_until = ${nowMs + leaseMs}
    WHERE (submission, part) = (
      SELECT submission, part FROM deliveries
      WHERE due_at IS NOT NULL AND part IN (${listOf(parts)}) AND mode = ${mode}
        AND (due_at <= ${nowMs} OR planned_at > ${nowMs + CLOCK_SLACK_MS})
        AND (lease_until IS NULL OR lease_until <= ${nowMs}
          OR lease_until > ${nowMs + leaseMs + CLOCK_SLACK_MS})
      ORDER BY due_at, tries LIMIT 1
      ${database.dialect === 'postgres' ? sql`FOR UPDATE SKIP LOCKED` : sql``}
    ) RETURNING *`);
  return row && Delivery.parse(row);
}

export const nextDueAtMs = ({ database, mode }: Store, parts: readonly Part[]): Promise<number | undefined> =>
  numberOf(
    database.query,
    sql`SELECT MIN(due_at) FROM deliveries
      WHERE due_at IS NOT NULL AND part IN (${listOf(parts)}) AND mode = ${mode}`,
  );

/**
 * Makes due now what was planned before a time, at a start and when mail is back. It tries team mails again
 * that had failed for 48 hours.
 */
export const makeAllDue = (
  { database, mode }: Store,
  parts: readonly Part[],
  { nowMs, plannedBeforeMs }: { readonly nowMs: number; readonly plannedBeforeMs: number },
) =>
  database.query(sql`
    UPDATE deliveries SET due_at = ${nowMs}
    WHERE state = 'pending' AND part IN (${listOf(parts)}) AND mode = ${mode}
      AND planned_at < ${plannedBeforeMs} AND (due_at IS NOT NULL OR part = 'team')`);

/** Records that a delivery arrived, whoever has the lease. @returns whether it was still owed */
export async function markDelivered(
  query: Query,
  submission: string,
  part: Part,
  { reply, nowMs }: { readonly reply: string | null; readonly nowMs: number },
): Promise<boolean> {
  const rows = await query(sql`
    UPDATE deliveries
    SET state = 'delivered', note = NULL, reply = ${reply}, due_at = NULL, done_at = ${nowMs},
      lease = NULL, lease_until = NULL
    WHERE submission = ${submission} AND part = ${part} AND done_at IS NULL RETURNING part`);
  return rows.length > 0;
}

interface Plan {
  /** The new state. `failed` and `skipped` end the delivery. */
  readonly state: DeliveryState;
  readonly tries: number;
  /** Null if it waits for the operator, or has ended. */
  readonly dueAtMs: number | null;
  readonly note: string | null;
  readonly reply?: string | null;
}

/** Plans the next try or ends the delivery, and frees its lease. Does nothing if another process has it. */
export const plan = (
  query: Query,
  { submission, part }: Pick<Delivery, 'submission' | 'part'>,
  { leaseholder, nowMs, ...next }: Plan & { readonly leaseholder: string; readonly nowMs: number },
) => {
  const isEnd = next.state === 'failed' || next.state === 'skipped';
  return query(sql`
    UPDATE deliveries
    SET state = ${next.state}, tries = ${next.tries}, due_at = ${next.dueAtMs}, note = ${next.note},
      reply = ${next.reply ?? null}, planned_at = ${nowMs}, done_at = ${isEnd ? nowMs : null},
      lease = NULL, lease_until = NULL
    WHERE submission = ${submission} AND part = ${part} AND done_at IS NULL
      AND (lease IS NULL OR lease = ${leaseholder})`);
};

/**
 * `aval outbox retry`: makes team's mails and webhook's events due now that have not arrived, of one
 * submission or of all. A running server sends them.
 * @returns the references of those that are due
 */
export async function retryNow({ query }: Database, nowMs: number, id?: string): Promise<string[]> {
  const ofSubmission = id === undefined ? sql`` : sql`submission = ${id} AND`;
  const rows = await query(sql`
    UPDATE deliveries
    SET state = 'pending', tries = 0, due_at = ${nowMs}, planned_at = ${nowMs}, done_at = NULL
    WHERE ${ofSubmission} part <> 'confirm' AND state IN ('pending', 'failed')
    RETURNING (SELECT reference FROM submissions WHERE id = submission) AS reference`);
  return [...new Set(rows.map(({ reference }) => String(reference)))].sort();
}

/** Writes a row, to notice a full disk or a read-only database before somebody submits. */
export const probeWrite = ({ database }: Store, nowMs: number) =>
  database.query(sql`
    INSERT INTO settings (name, value) VALUES ('alive', ${String(nowMs)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
