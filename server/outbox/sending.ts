import type { Accepted, MailError } from '../mail/mailer.ts';
import { isOverdue } from './archive.ts';
import { capOf, type HeldBack } from './confirmation.ts';
import { numberOf, type Query, type Sql, sql } from './sql.ts';
import { first, type Store } from './store.ts';
import { type Part, type Stored, stored, TRIED_FOR_MS } from './stored-submission.ts';

/** A clock may go back by this much. A plan further in the future counts as due. */
const CLOCK_SLACK_MS = 60_000;

/** Leases a pending submission; `undefined` while another process has it, or when it is no longer pending. */
export const leaseOne = (store: Store, id: string, nowMs: number): Promise<Stored | undefined> =>
  lease(
    store,
    nowMs,
    sql`id = ${id} AND mode = ${store.mode} AND state = 'pending' AND ${isFree(store, nowMs)}`,
  );

/** Leases the mail that has been due for longest; of those due alike, the one that failed least often. */
export const leaseDue = (store: Store, nowMs: number): Promise<Stored | undefined> =>
  lease(
    store,
    nowMs,
    sql`id = (
      SELECT id FROM submissions
      WHERE due_at IS NOT NULL AND mode = ${store.mode} AND ${isFree(store, nowMs)}
        AND (due_at <= ${nowMs} OR planned_at > ${nowMs + CLOCK_SLACK_MS})
      ORDER BY due_at, tries LIMIT 1 ${store.database.dialect === 'postgres' ? sql`FOR UPDATE SKIP LOCKED` : sql``}
    )`,
  );

const lease = ({ database, leaseholder, leaseMs }: Store, nowMs: number, which: Sql) =>
  first(
    database.query,
    sql`UPDATE submissions SET lease = ${leaseholder}, lease_until = ${nowMs + leaseMs} WHERE ${which} RETURNING *`,
  );

const isFree = ({ leaseMs }: Store, nowMs: number) =>
  sql`(lease_until IS NULL OR lease_until <= ${nowMs} OR lease_until > ${nowMs + leaseMs + CLOCK_SLACK_MS})`;

export const nextDueAtMs = ({ database, mode }: Store): Promise<number | undefined> =>
  numberOf(
    database.query,
    sql`SELECT MIN(due_at) FROM submissions WHERE due_at IS NOT NULL AND mode = ${mode}`,
  );

/** Makes everything pending due now that was planned before a moment: at start, and when mail is back. */
export const makeAllDue = ({ database, mode }: Store, nowMs: number, plannedBeforeMs: number) =>
  database.query(sql`
    UPDATE submissions SET due_at = ${nowMs}, planned_at = ${nowMs}
    WHERE state = 'pending' AND mode = ${mode} AND planned_at < ${plannedBeforeMs}`);

/**
 * Those that became overdue since this was last asked, by whatever process. Each round of sending begins with
 * it.
 * @throws DatabaseRefused once a newer program has changed the tables
 */
export async function newlyOverdue({ database, mode }: Store, nowMs: number): Promise<Stored[]> {
  const alarmed = sql`
    UPDATE submissions SET alarmed_at = ${nowMs}
    WHERE mode = ${mode} AND alarmed_at IS NULL AND ${isOverdue(nowMs)} RETURNING *`;
  const rows = await database.exclusively(['overdue'], query => query(alarmed));
  return rows.map(stored);
}

/** Writes a little, so that a full disk and a read-only database are noticed before somebody submits. */
export const noteAlive = ({ database }: Store, nowMs: number) =>
  database.query(sql`
    INSERT INTO settings (name, value) VALUES ('alive', ${String(nowMs)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);

/** Gives the lease back, with the time of the next try. */
export const planNext = ({ database, leaseholder }: Store, { id, due_at, tries }: Stored, nowMs: number) =>
  database.query(sql`
    UPDATE submissions
    SET lease = NULL, lease_until = NULL, due_at = ${due_at}, planned_at = ${nowMs}, tries = ${tries}
    WHERE id = ${id} AND lease = ${leaseholder}`);

export interface Attempt {
  readonly part: Part;
  readonly nowMs: number;
  readonly failure?: MailError;
  readonly reply?: string | undefined;
}

/** One send of a mail. What was erased meanwhile gets no reply: it may name somebody. */
export function noteAttempt(
  query: Query,
  id: string,
  { part, nowMs, failure, reply = failure?.reply }: Attempt,
) {
  const { kind = 'accepted', code = '' } = failure ?? {};
  const keptReply = sql`(SELECT ${reply ?? null} FROM submissions WHERE id = ${id} AND erased_at IS NULL)`;
  return query(sql`
    INSERT INTO attempts (submission, part, at, outcome, code, reply)
    VALUES (${id}, ${part}, ${nowMs}, ${kind}, ${code}, ${keptReply})`);
}

/** How often the team's mail failed with this code. */
export const failuresOf = async ({ database }: Store, id: string, code: string): Promise<number> => {
  const failures = sql`SELECT COUNT(*) FROM attempts WHERE submission = ${id} AND part = 'team' AND code = ${code}`;
  return Number(await numberOf(database.query, failures));
};

interface Delivered extends Accepted {
  readonly nowMs: number;
  /** Why there is to be no confirmation, whatever the bounds say. */
  readonly skip: string | undefined;
}

/**
 * The team has it. What becomes of the confirmation is decided in the same commit: it is due now, later, or
 * never.
 * @returns what keeps it back, where one was due
 */
export function noteDelivered(
  { database }: Store,
  id: string,
  delivered: Delivered,
): Promise<HeldBack | undefined> {
  const { id: mailId, reply, nowMs, skip } = delivered;
  return database.exclusively(['confirmations'], async query => {
    const before = await first(query, sql`SELECT * FROM submissions WHERE id = ${id}`);
    if (!before || before.state === 'delivered') return undefined;
    const isDue = before.confirmation === 'due';
    await query(sql`
      UPDATE submissions
      SET state = 'delivered', delivered_at = ${nowMs}, mail_id = ${mailId}, tries = 0, planned_at = ${nowMs},
        lease = NULL, lease_until = NULL, finished_at = ${isDue ? null : nowMs}, due_at = ${isDue ? nowMs : null}
      WHERE id = ${id}`);
    await noteAttempt(query, id, { part: 'team', nowMs, reply });
    return isDue ? roomFor(query, before, nowMs, skip) : undefined;
  });
}

/** Takes the room of a confirmation that waited. @returns what still keeps it back */
export const takeRoom = ({ database }: Store, record: Stored, nowMs: number) =>
  database.exclusively(['confirmations'], query => roomFor(query, record, nowMs));

/**
 * Takes the room of a confirmation, or holds it back: one that waited, is two days old and has none, for
 * good.
 */
async function roomFor(
  query: Query,
  { id, received_at, confirmation }: Stored,
  nowMs: number,
  skip?: string,
) {
  const full = skip === undefined ? await capOf(query, id, nowMs) : { reason: skip };
  const isLate = confirmation === 'waiting' && nowMs - received_at >= TRIED_FOR_MS;
  const held: HeldBack | undefined = full && isLate ? { reason: full.reason } : full;
  if (held) {
    const { reason, untilMs } = held;
    await settle(query, id, {
      to: untilMs === undefined ? 'skipped' : 'waiting',
      note: reason,
      untilMs,
      nowMs,
    });
  } else {
    await query(sql`
      UPDATE submissions SET confirmation = 'due', confirmation_note = NULL, confirmed_at = ${nowMs} WHERE id = ${id}`);
  }
  return held;
}

/** The submitter has the confirmation. */
export const noteConfirmed = ({ database }: Store, id: string, { nowMs, reply }: Omit<Attempt, 'part'>) =>
  database.exclusively([`submission ${id}`], async query => {
    await settle(query, id, { to: 'sent', nowMs });
    await noteAttempt(query, id, { part: 'confirm', nowMs, reply });
  });

interface Settled {
  readonly to: Stored['confirmation'];
  readonly note?: string;
  /** When it is looked at again; without it nothing more is owed. */
  readonly untilMs?: number | undefined;
  readonly nowMs: number;
}

/** What became of the confirmation. */
export const settle = (query: Query, id: string, { to, note, untilMs, nowMs }: Settled) =>
  query(sql`
    UPDATE submissions
    SET confirmation = ${to}, confirmation_note = ${note ?? null}, due_at = ${untilMs ?? null}, planned_at = ${nowMs},
      finished_at = ${untilMs === undefined ? nowMs : null}, lease = NULL, lease_until = NULL
    WHERE id = ${id}`);
