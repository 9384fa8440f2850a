import { randomBytes, randomUUID } from 'node:crypto';
import type { Submission } from '../../tools/deliver.ts';
import { SERVICE } from '../../tools/service.ts';
import { type Database, NOTHING, type Query, type Sql, sql } from '../database/sql.ts';
import type { MailError } from '../mail/mailer.ts';
import { type Identity, identityOf, newReference, recipientOf } from './identity.ts';
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

const KEY_LIFETIME_MS = 24 * 3_600_000;

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
        const earlier = await repeatOf(query, submission.clientHash, identity, nowMs);
        if (earlier === 'conflict') return earlier;
        if (earlier) return { record: earlier, isNew: false };
        return { record: await insert(query, submission, identity, nowMs), isNew: true };
      });
    },

    /** Whether an Idempotency-Key was used with this body before: its replay takes no slot. */
    async isReplay(submission: Submission, nowMs: number): Promise<boolean> {
      const identity = identityOf(submission);
      if (identity.keyHash === null) return false;
      const earlier = await repeatOf(database.query, submission.clientHash, identity, nowMs);
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

  /**
   * With an Idempotency-Key: the one with that key and body within 24 hours. A key with another body is a conflict for the
   * client that used it; for another client it is a coincidence ("1" is a popular key). Without: the same body while it is
   * still pending, from whatever address the person tries again. What the operator abandoned is repeated by nothing.
   */
  async function repeatOf(query: Query, client: string, { bodyHash, keyHash }: Identity, nowMs: number) {
    if (keyHash === null) {
      return first(
        sql`SELECT * FROM submissions WHERE body_hash = ${bodyHash} AND state = 'pending' AND ${isOurs} LIMIT 1`,
        query,
      );
    }
    const rows = await query(sql`
      SELECT * FROM submissions WHERE key_hash = ${keyHash} AND ${isOurs} AND state <> 'abandoned'
        AND received_at > ${nowMs - KEY_LIFETIME_MS}`);
    const same = rows.find(row => row.body_hash === bodyHash);
    if (same) return stored(same);
    return rows.some(row => row.client_key === client) ? 'conflict' : undefined;
  }

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

/** Anybody can type a stranger's address into the form: this bounds what the stranger gets. */
const PER_RECIPIENT = { quota: SERVICE.confirmationsPerDay, windowMs: 24 * 3_600_000 };
const IN_ALL = { quota: 30, windowMs: 3_600_000 };

/** The cap that leaves no room for one more confirmation. */
async function capOf(query: Query, { fields }: Stored, nowMs: number): Promise<string | undefined> {
  const recipient = recipientOf(fields?.email ?? '');
  const [row] = await query(sql`
    SELECT
      SUM(CASE WHEN recipient = ${recipient} THEN 1 ELSE 0 END) AS to_recipient,
      SUM(CASE WHEN confirmed_at > ${nowMs - IN_ALL.windowMs} THEN 1 ELSE 0 END) AS in_all
    FROM submissions WHERE confirmed_at > ${nowMs - PER_RECIPIENT.windowMs}`);
  if (Number(row?.to_recipient) >= PER_RECIPIENT.quota) return `${PER_RECIPIENT.quota} a day to this address`;
  if (Number(row?.in_all) >= IN_ALL.quota) return `${IN_ALL.quota} an hour in all`;
  return undefined;
}

function attempt(query: Query, id: string, part: Part, nowMs: number, failure?: MailError) {
  return query(sql`
    INSERT INTO attempts (submission, part, at, outcome, code)
    VALUES (${id}, ${part}, ${nowMs}, ${failure?.kind ?? 'accepted'}, ${failure?.code ?? ''})`);
}
