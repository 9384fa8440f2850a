import { type Database, NOTHING, type Row, type Sql, sql } from '../database/sql.ts';
import { type Mode, OVERDUE_AFTER_MS, type ShownState, type Stored, stored } from './stored.ts';

/** One send that was tried. */
export interface Attempt {
  readonly part: string;
  readonly at: number;
  /** `accepted`, or a kind of MailError. */
  readonly outcome: string;
  readonly code: string;
}

export interface Listed extends Stored {
  /** Failed sends, and the last of them. */
  readonly failed: number;
  readonly lastFailure: string | null;
}

export interface Selection {
  readonly state?: ShownState | undefined;
  /** The newest so many. */
  readonly limit: number;
}

export interface Counts {
  readonly state: string;
  readonly mode: string;
  readonly suspect: boolean;
  readonly count: number;
}

export type Archive = ReturnType<typeof createArchive>;

/** Rows of one statement: more would be held in memory. */
const PAGE = 500;

/** What an operator sees of submissions, of every mode and beside any number of running servers. */
export function createArchive(database: Database) {
  const { query } = database;
  return {
    /** The newest, oldest of them first. */
    async list({ state, limit }: Selection, nowMs: number): Promise<Listed[]> {
      const rows = await query(sql`
        SELECT *, (SELECT COUNT(*) FROM attempts WHERE submission = id AND outcome <> 'accepted') AS failed, (
          SELECT outcome || ' ' || code FROM attempts WHERE submission = id AND outcome <> 'accepted' ORDER BY at DESC LIMIT 1
        ) AS last_failure
        FROM submissions ${whereState(state, nowMs)} ORDER BY received_at DESC, id DESC LIMIT ${limit}`);
      return rows.toReversed().map(row => ({
        ...stored(row),
        failed: Number(row.failed),
        lastFailure: row.last_failure === null ? null : String(row.last_failure),
      }));
    },

    /** How many there are of each kind; few rows, however many submissions. */
    async counts(): Promise<Counts[]> {
      const rows = await query(
        sql`SELECT state, mode, suspect, COUNT(*) AS count FROM submissions GROUP BY state, mode, suspect`,
      );
      return rows.map(row => ({
        state: String(row.state),
        mode: String(row.mode),
        suspect: row.suspect === 1,
        count: Number(row.count),
      }));
    },

    async overdue(nowMs: number): Promise<number> {
      const [row] = await query(sql`SELECT COUNT(*) AS count FROM submissions ${whereState('overdue', nowMs)}`);
      return Number(row?.count);
    },

    /** Since when the oldest that is pending waits, in milliseconds of Unix time. */
    async oldestPendingMs(mode: Mode): Promise<number | undefined> {
      const [row] = await query(
        sql`SELECT MIN(received_at) AS at FROM submissions WHERE state = 'pending' AND mode = ${mode}`,
      );
      return row?.at === null || row === undefined ? undefined : Number(row.at);
    },

    /** Counts by one column: `kind`, `channel`, `confirmation`, `confirmation_note`. */
    async countsBy(column: 'kind' | 'channel' | 'language' | 'confirmation'): Promise<Record<string, number>> {
      const text = `SELECT ${column} AS name, COUNT(*) AS count FROM submissions GROUP BY ${column} ORDER BY ${column}`;
      return tally(await query({ text, values: [] }));
    },

    async failures(): Promise<Record<string, number>> {
      return tally(
        await query(sql`
          SELECT outcome || ' ' || code AS name, COUNT(*) AS count FROM attempts WHERE outcome <> 'accepted'
          GROUP BY outcome, code ORDER BY count DESC LIMIT 20`),
      );
    },

    /** By id or reference, in any case. */
    async find(name: string): Promise<{ record: Stored; attempts: Attempt[] } | undefined> {
      const [row] = await query(sql`SELECT * FROM submissions WHERE id = ${name} OR reference = ${name.toUpperCase()}`);
      if (!row) return undefined;
      const record = stored(row);
      const attempts = await query(
        sql`SELECT part, at, outcome, code FROM attempts WHERE submission = ${record.id} ORDER BY at`,
      );
      return { record, attempts: attempts.map(attemptOf) };
    },

    /** All that are pending, oldest first. */
    async pending(): Promise<Stored[]> {
      const rows = await query(sql`SELECT * FROM submissions WHERE state = 'pending' ORDER BY received_at, id`);
      return rows.map(stored);
    },

    /** Every submission, oldest first, page by page. */
    async *all(): AsyncGenerator<Stored> {
      let [atMs, id] = [-1, ''];
      for (;;) {
        const rows = await query(sql`
          SELECT * FROM submissions WHERE (received_at, id) > (${atMs}, ${id})
          ORDER BY received_at, id LIMIT ${PAGE}`);
        for (const row of rows) yield stored(row);
        const last = rows.at(-1);
        if (!last) return;
        [atMs, id] = [Number(last.received_at), String(last.id)];
      }
    },

    /** Gives up on one that is pending. @param by who decided it @returns whether it was pending and not being sent */
    async abandon(id: string, by: string, nowMs: number): Promise<boolean> {
      const rows = await query(sql`
        UPDATE submissions SET state = 'abandoned', abandoned_by = ${by}, finished_at = ${nowMs}, due_at = NULL
        WHERE id = ${id} AND state = 'pending' AND (lease_until IS NULL OR lease_until <= ${nowMs}) RETURNING id`);
      return rows.length > 0;
    },
  };
}

function whereState(state: ShownState | undefined, nowMs: number): Sql {
  const limitMs = nowMs - OVERDUE_AFTER_MS;
  switch (state) {
    case undefined:
      return NOTHING;
    case 'pending':
      return sql`WHERE state = 'pending' AND received_at > ${limitMs}`;
    case 'overdue':
      return sql`WHERE state = 'pending' AND received_at <= ${limitMs}`;
    case 'written':
      return sql`WHERE state = 'delivered' AND mode = 'dry-run'`;
    case 'delivered':
      return sql`WHERE state = 'delivered' AND mode = 'production'`;
    case 'abandoned':
      return sql`WHERE state = 'abandoned'`;
  }
}

const tally = (rows: readonly Row[]) => Object.fromEntries(rows.map(row => [String(row.name), Number(row.count)]));

const attemptOf = ({ part, at, outcome, code }: Row): Attempt => ({
  part: String(part),
  at: Number(at),
  outcome: String(outcome),
  code: String(code),
});
