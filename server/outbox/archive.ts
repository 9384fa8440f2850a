import * as z from 'zod';
import type { Mode } from '../../tools/deliver.ts';
import { type Database, NOTHING, type Sql, type SqlRow, sql } from './sql.ts';
import { type ShownState, Stored, stored } from './stored-submission.ts';

/** A submission with its failed sends, and the last of them. */
const Listed = Stored.extend({ failed: z.number(), lastFailure: z.string().nullable() });

export type Listed = Readonly<z.output<typeof Listed>>;

/** So many submissions are alike in these. */
const Counts = Stored.pick({ state: true, mode: true, suspect: true }).extend({ count: z.number() });

/** The newest so many, oldest of them first. */
export async function list(
  { query }: Database,
  { state, limit }: { readonly state?: ShownState | undefined; readonly limit: number },
  nowMs: number,
): Promise<Listed[]> {
  const rows = await query(sql`
    SELECT *, (SELECT COUNT(*) FROM attempts WHERE submission = id AND outcome <> 'accepted') AS failed, (
      SELECT outcome || ' ' || code FROM attempts WHERE submission = id AND outcome <> 'accepted' ORDER BY at DESC LIMIT 1
    ) AS "lastFailure"
    FROM submissions ${state ? where(state, nowMs) : NOTHING} ORDER BY received_at DESC, id DESC LIMIT ${limit}`);
  return rows.toReversed().map(row => Listed.parse(row));
}

/** How many there are of each kind; few rows, however many submissions. */
export async function counts({ query }: Database): Promise<z.output<typeof Counts>[]> {
  const rows = await query(
    sql`SELECT state, mode, suspect, COUNT(*) AS count FROM submissions GROUP BY state, mode, suspect`,
  );
  return rows.map(row => Counts.parse(row));
}

export async function overdue({ query }: Database, nowMs: number): Promise<number> {
  const [row] = await query(sql`SELECT COUNT(*) AS count FROM submissions ${where('overdue', nowMs)}`);
  return Number(row?.count);
}

/** Since when the oldest that is pending waits, in milliseconds of Unix time. */
export async function oldestPendingMs({ query }: Database, mode: Mode): Promise<number | undefined> {
  const [row] = await query(
    sql`SELECT MIN(received_at) AS at FROM submissions WHERE state = 'pending' AND mode = ${mode}`,
  );
  return row?.at === null || row === undefined ? undefined : Number(row.at);
}

/** Counts by one column. */
export async function countsBy(
  { query }: Database,
  column: 'kind' | 'channel' | 'language' | 'confirmation',
): Promise<Record<string, number>> {
  const text = `SELECT ${column} AS name, COUNT(*) AS count FROM submissions GROUP BY ${column} ORDER BY ${column}`;
  return tally(await query({ text, values: [] }));
}

export async function failures({ query }: Database): Promise<Record<string, number>> {
  return tally(
    await query(sql`
      SELECT outcome || ' ' || code AS name, COUNT(*) AS count FROM attempts WHERE outcome <> 'accepted'
      GROUP BY outcome, code ORDER BY count DESC LIMIT 20`),
  );
}

/** By id or reference, in any case; with the rows of every send that was tried. */
export async function find(
  { query }: Database,
  name: string,
): Promise<{ record: Stored; attempts: readonly SqlRow[] } | undefined> {
  const [row] = await query(sql`SELECT * FROM submissions WHERE id = ${name} OR reference = ${name.toUpperCase()}`);
  if (!row) return undefined;
  const record = stored(row);
  const attempts = await query(
    sql`SELECT part, at, outcome, code, reply FROM attempts WHERE submission = ${record.id} ORDER BY at`,
  );
  return { record, attempts };
}

/** All that are pending, oldest first. */
export async function pending({ query }: Database): Promise<Stored[]> {
  const rows = await query(sql`SELECT * FROM submissions WHERE state = 'pending' ORDER BY received_at, id`);
  return rows.map(stored);
}

/** Rows of one statement: more would be held in memory. */
const PAGE = 500;

/** Every submission, or every one of the mailbox with this hash; oldest first, page by page. */
export async function* all({ query }: Database, recipient?: string): AsyncGenerator<Stored> {
  const theirs = recipient === undefined ? NOTHING : sql`AND recipient = ${recipient}`;
  let [atMs, id] = [-1, ''];
  for (;;) {
    const rows = await query(sql`
      SELECT * FROM submissions WHERE (received_at, id) > (${atMs}, ${id}) ${theirs}
      ORDER BY received_at, id LIMIT ${PAGE}`);
    for (const row of rows) yield stored(row);
    const last = rows.at(-1);
    if (!last) return;
    [atMs, id] = [Number(last.received_at), String(last.id)];
  }
}

/** Gives up on one that is pending. @param by who decided it @returns whether it was pending and not being sent */
export async function abandon({ query }: Database, id: string, by: string, nowMs: number): Promise<boolean> {
  const rows = await query(sql`
    UPDATE submissions SET state = 'abandoned', abandoned_by = ${by}, finished_at = ${nowMs}, due_at = NULL
    WHERE id = ${id} AND state = 'pending' AND (lease_until IS NULL OR lease_until <= ${nowMs}) RETURNING id`);
  return rows.length > 0;
}

function where(state: ShownState, nowMs: number): Sql {
  return {
    pending: sql`WHERE state = 'pending' AND received_at + promised_ms > ${nowMs}`,
    overdue: sql`WHERE state = 'pending' AND received_at + promised_ms <= ${nowMs}`,
    written: sql`WHERE state = 'delivered' AND mode = 'dry-run'`,
    delivered: sql`WHERE state = 'delivered' AND mode = 'production'`,
    abandoned: sql`WHERE state = 'abandoned'`,
  }[state];
}

const tally = (rows: readonly SqlRow[]) => Object.fromEntries(rows.map(row => [String(row.name), Number(row.count)]));
