import { randomBytes, randomUUID } from 'node:crypto';
import type { Submission } from '../../tools/deliver.ts';
import { type Database, NOTHING, type Query, type Sql, sql } from '../database/sql.ts';
import type { MailError } from '../mail/mailer.ts';
import { capOf } from './confirmation-cap.ts';
import { type Identity, identityOf, newReference, recipientOf, repeatOf } from './identity.ts';
import { type Mode, OVERDUE_AFTER_MS, type Part, type Stored, stored } from './stored.ts';

/** A submission as it was taken in, or the one it repeats. */
export interface Received {
  readonly record: Stored;
  /** Sent by this process; the lease is taken. */
  readonly isNew: boolean;
}

/** When a mail that failed is owed again; `undefined`: nothing more is planned. */
export interface Plan {
  readonly dueAtMs: number | undefined;
  readonly tries: number;
}

interface Options {
  readonly mode: Mode;
  /** A lease lasts longer than the slowest send: what is leased for longer than that belongs to nobody. */
  readonly leaseMs: number;
}

export type Store = ReturnType<typeof createStore>;

/** A clock may be set by so much before what was planned earlier counts as planned in the future, and so as due. */
const CLOCK_SLACK_MS = 60_000;

/**
 * The submissions of one mode in a database, as taking in and sending need them. Any number of processes may use it at
 * once: who sends a mail holds its lease.
 */
export function createStore(database: Database, { mode, leaseMs }: Options) {
  const token = randomUUID();
  const isFree = (nowMs: number): Sql =>
    sql`(lease_until IS NULL OR lease_until <= ${nowMs} OR lease_until > ${nowMs + leaseMs + CLOCK_SLACK_MS})`;
  const isOurs = sql`mode = ${mode}`;
  const lease = (nowMs: number): Sql => sql`lease = ${token}, lease_until = ${nowMs + leaseMs}`;
  const first = async (statement: Sql, query: Query = database.query): Promise<Stored | undefined> => {
    const [row] = await query(statement);
    return row && stored(row);
  };

  return {
    /** Commits a submission, or finds the one it repeats. @throws DatabaseFault: nothing was kept */
    async receive(submission: Submission, nowMs: number): Promise<Received | 'conflict'> {
      const identity = identityOf(submission);
      return database.exclusively(`submission ${identity.keyHash ?? identity.bodyHash}`, async query => {
        const earlier = await repeatOf(query, { identity, client: submission.clientHash, mode, nowMs });
        if (earlier === 'conflict') return earlier;
        if (earlier) return { record: earlier, isNew: false };
        return { record: await insert(query, submission, identity, nowMs), isNew: true };
      });
    },

    /** Whether an Idempotency-Key was used with this body before: its replay takes no slot. */
    async isReplay(submission: Submission, nowMs: number): Promise<boolean> {
      const identity = identityOf(submission);
      if (identity.keyHash === null) return false;
      const earlier = await repeatOf(database.query, { identity, client: submission.clientHash, mode, nowMs });
      return earlier !== undefined && earlier !== 'conflict';
    },

    find: (id: string) => first(sql`SELECT * FROM submissions WHERE id = ${id}`),

    /** Takes the right to send one that is pending; `undefined` while somebody else has it, and once it is not. */
    leaseOne: (id: string, nowMs: number) =>
      first(sql`
        UPDATE submissions SET ${lease(nowMs)}
        WHERE id = ${id} AND ${isOurs} AND state = 'pending' AND ${isFree(nowMs)} RETURNING *`),

    /** Takes the right to send the mail that has been due for longest. */
    leaseDue: (nowMs: number) =>
      first(sql`
        UPDATE submissions SET ${lease(nowMs)}
        WHERE id = (
          SELECT id FROM submissions
          WHERE due_at IS NOT NULL AND ${isOurs} AND ${isFree(nowMs)}
            AND (due_at <= ${nowMs} OR planned_at > ${nowMs + CLOCK_SLACK_MS})
          ORDER BY due_at LIMIT 1 ${database.dialect === 'postgres' ? sql`FOR UPDATE SKIP LOCKED` : NOTHING}
        ) RETURNING *`),

    /** When the next mail is due; `undefined`: none is planned. */
    async nextDueAtMs(): Promise<number | undefined> {
      const [row] = await database.query(
        sql`SELECT MIN(due_at) AS due_at FROM submissions WHERE due_at IS NOT NULL AND ${isOurs}`,
      );
      return typeof row?.due_at === 'number' ? row.due_at : undefined;
    },

    /** Notes a send that failed while more are to follow at once. */
    failed: (id: string, part: Part, failure: MailError, nowMs: number) =>
      attempt(database.query, id, part, nowMs, failure),

    /** Gives the lease back, with the time of the next try. */
    plan: ({ id }: Stored, { dueAtMs, tries }: Plan, nowMs: number) =>
      database.query(sql`
        UPDATE submissions
        SET lease = NULL, lease_until = NULL, due_at = ${dueAtMs ?? null}, planned_at = ${nowMs}, tries = ${tries}
        WHERE id = ${id} AND lease = ${token}`),

    /** The team has it. What becomes of the confirmation is decided in the same commit. */
    delivered: ({ id }: Stored, mailId: string, nowMs: number, skip: string | undefined) =>
      database.exclusively('confirmations', async query => {
        const before = await first(sql`SELECT * FROM submissions WHERE id = ${id}`, query);
        if (!before || before.state === 'delivered') return;
        const isDue = before.confirmation === 'due';
        const note = isDue ? (skip ?? (await capOf(query, before, nowMs))) : undefined;
        const isOwed = isDue && note === undefined;
        await query(sql`
          UPDATE submissions
          SET state = 'delivered', delivered_at = ${nowMs}, mail_id = ${mailId}, lease = NULL, lease_until = NULL, tries = 0,
            planned_at = ${nowMs}, due_at = ${isOwed ? nowMs : null}, confirmed_at = ${isOwed ? nowMs : null},
            finished_at = ${isOwed ? null : nowMs}, confirmation = ${note === undefined ? before.confirmation : 'skipped'},
            confirmation_note = ${note ?? before.confirmation_note}
          WHERE id = ${id}`);
        await attempt(query, id, 'team', nowMs);
      }),

    /** Nothing more is owed to the submitter. @param fault why there was no confirmation */
    confirmed: ({ id }: Stored, nowMs: number, fault?: string) =>
      database.exclusively(`submission ${id}`, async query => {
        await query(sql`
          UPDATE submissions
          SET confirmation = ${fault === undefined ? 'sent' : 'failed'}, confirmation_note = ${fault ?? null},
            finished_at = ${nowMs}, due_at = NULL, lease = NULL, lease_until = NULL
          WHERE id = ${id}`);
        if (fault === undefined) await attempt(query, id, 'confirm', nowMs);
      }),

    /** Makes everything that is pending due now: at start, and when mail is back. */
    wake: (nowMs: number) =>
      database.query(
        sql`UPDATE submissions SET due_at = ${nowMs}, planned_at = ${nowMs} WHERE state = 'pending' AND ${isOurs}`,
      ),

    /** Those that became overdue since this was last asked, by whatever process. */
    async newlyOverdue(nowMs: number): Promise<Stored[]> {
      const rows = await database.query(sql`
        UPDATE submissions SET alarmed_at = ${nowMs}
        WHERE state = 'pending' AND ${isOurs} AND alarmed_at IS NULL AND received_at <= ${nowMs - OVERDUE_AFTER_MS}
        RETURNING *`);
      return rows.map(stored);
    },

    /** A secret of this installation, made when it is first asked for. */
    async secret(name: string): Promise<string> {
      const fresh = randomBytes(32).toString('base64url');
      await database.query(
        sql`INSERT INTO settings (name, value) VALUES (${name}, ${fresh}) ON CONFLICT (name) DO NOTHING`,
      );
      const [row] = await database.query(sql`SELECT value FROM settings WHERE name = ${name}`);
      return String(row?.value);
    },
  };

  /** The row as it stands after this; a reference that is taken is drawn again. */
  async function insert(query: Query, submission: Submission, { bodyHash, keyHash }: Identity, nowMs: number) {
    const { kind, channel, clientHash, fields, language = 'es', suspect = false } = submission;
    const confirmation = kind === 'partner' ? 'none' : suspect ? 'skipped' : 'due';
    for (;;) {
      const record = await first(
        sql`
          INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, client_key, body_hash,
            key_hash, recipient, suspect, state, tries, planned_at, due_at, lease, lease_until, confirmation, confirmation_note)
          VALUES (${`sub-${randomBytes(8).toString('hex')}`}, ${newReference()}, ${kind}, ${channel}, ${mode}, ${language},
            ${nowMs}, ${JSON.stringify(fields)}, ${clientHash}, ${bodyHash}, ${keyHash}, ${recipientOf(fields.email ?? '')},
            ${suspect ? 1 : 0}, 'pending', 0, ${nowMs}, ${nowMs}, ${token}, ${nowMs + leaseMs}, ${confirmation},
            ${confirmation === 'skipped' ? 'suspect' : null})
          ON CONFLICT (reference) DO NOTHING RETURNING *`,
        query,
      );
      if (record) return record;
    }
  }
}

function attempt(query: Query, id: string, part: Part, nowMs: number, failure?: MailError) {
  return query(sql`
    INSERT INTO attempts (submission, part, at, outcome, code)
    VALUES (${id}, ${part}, ${nowMs}, ${failure?.kind ?? 'accepted'}, ${failure?.code ?? ''})`);
}
