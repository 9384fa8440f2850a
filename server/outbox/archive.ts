import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Mode } from '../../tools/deliver.ts';
import { type Database, DatabaseRefused, numberOf, type Query, sql } from './sql.ts';
import { type ShownState, Stored, stored } from './stored-submission.ts';

const Listed = Stored.extend({
  failed: z.number(),
  lastFailure: z.string().nullable(),
  /** What became of its event; null where no webhook is configured. */
  webhook: z.string().nullable(),
});

export type Listed = Readonly<z.output<typeof Listed>>;

/** The newest so many, oldest of them first. */
export async function list(
  { query }: Database,
  { state, limit }: { readonly state?: ShownState | undefined; readonly limit: number },
  nowMs: number,
): Promise<Listed[]> {
  const rows = await query(sql`
    SELECT *, (SELECT COUNT(*) FROM attempts WHERE submission = id AND outcome <> 'accepted') AS failed, (
      SELECT outcome || ' ' || code FROM attempts WHERE submission = id AND outcome <> 'accepted' ORDER BY at DESC LIMIT 1
    ) AS "lastFailure", (SELECT state FROM webhooks WHERE submission = id) AS webhook
    FROM submissions ${state ? sql`WHERE ${shownIn(nowMs)} = ${state}` : sql``}
    ORDER BY received_at DESC, id DESC LIMIT ${limit}`);
  return rows.toReversed().map(row => Listed.parse(row));
}

/** How many there are in each state; few rows, however many submissions. */
export async function counts({ query }: Database, mode: Mode): Promise<Map<string, number>> {
  const rows = await query(
    sql`SELECT state, COUNT(*) AS count FROM submissions WHERE mode = ${mode} GROUP BY state`,
  );
  return new Map(rows.map(({ state, count }) => [String(state), Number(count)]));
}

export const countOf = async (query: Query): Promise<number> =>
  Number(await numberOf(query, sql`SELECT COUNT(*) FROM submissions`));

export const overdue = async ({ query }: Database, nowMs: number): Promise<number> =>
  Number(await numberOf(query, sql`SELECT COUNT(*) FROM submissions WHERE ${isOverdue(nowMs)}`));

/** Since when the oldest that is pending waits, in milliseconds of Unix time. */
export const oldestPendingMs = ({ query }: Database, mode: Mode): Promise<number | undefined> =>
  numberOf(query, sql`SELECT MIN(received_at) FROM submissions WHERE state = 'pending' AND mode = ${mode}`);

/** By id or reference, in any case; with the rows of every send that was tried. */
export async function find({ query }: Database, name: string) {
  const [row] = await query(
    sql`SELECT * FROM submissions WHERE id = ${name} OR reference = ${name.toUpperCase()}`,
  );
  if (!row) return undefined;
  const record = stored(row);
  const attempts = await query(
    sql`SELECT part, at, outcome, code, reply FROM attempts WHERE submission = ${record.id} ORDER BY at`,
  );
  const [webhook] = await query(
    sql`SELECT state, tries, due_at, note FROM webhooks WHERE submission = ${record.id}`,
  );
  return { record, attempts, webhook };
}

export async function pending({ query }: Database): Promise<Stored[]> {
  const rows = await query(sql`SELECT * FROM submissions WHERE state = 'pending' ORDER BY received_at, id`);
  return rows.map(stored);
}

/** Rows of one statement: more would be held in memory. */
const PAGE = 500;

/** Every submission, or every one of the mailbox with this hash; oldest first, page by page. */
export async function* all({ query }: Database, recipient?: string): AsyncGenerator<Stored> {
  const theirs = recipient === undefined ? sql`` : sql`AND recipient = ${recipient}`;
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

export const isOverdue = (nowMs: number) => sql`state = 'pending' AND received_at + promised_ms <= ${nowMs}`;

/** `shownState` in SQL. */
const shownIn = (nowMs: number) => sql`
  CASE WHEN ${isOverdue(nowMs)} THEN 'overdue' WHEN state = 'delivered' AND mode = 'dry-run' THEN 'written' ELSE state END`;

/** Which operator, a system user, does something, and when. */
export interface Acting {
  readonly by: string;
  readonly nowMs: number;
}

export type Deed = 'show' | 'export' | 'retry' | 'erase' | 'rebind';

/** @param about a reference, the hash of a mailbox, `all`, or the id of a profile; never a field */
export const noteAudit = (query: Query, what: Deed, about: string, { by, nowMs }: Acting) =>
  query(sql`INSERT INTO audit (at, who, what, about) VALUES (${nowMs}, ${by}, ${what}, ${about})`);

/** The id of the profile that a store belongs to; `undefined` until a process with one has opened it. */
export async function boundTo({ query }: Database): Promise<string | undefined> {
  const [row] = await query(sql`SELECT value FROM settings WHERE name = 'profile'`);
  return row && String(row.value);
}

/**
 * Binds a store to its first profile: two brands in one store would send each other's mail.
 * @throws DatabaseRefused where the store belongs to another profile
 */
export async function bind(database: Database, profileId: string): Promise<void> {
  const owner = await setting(database, 'profile', profileId);
  if (owner === profileId) return;
  throw new DatabaseRefused(
    'DATABASE_OF_ANOTHER',
    `The submissions here belong to the profile "${owner}", and BRAND_FILE has "${profileId}". ` +
      'Give each profile a DATA_DIR or DATABASE_URL of its own. If the id changed on purpose: aval outbox rebind.',
  );
}

/** Gives a store to another profile. @param by the system user */
export async function rebind(database: Database, profileId: string, by: string): Promise<void> {
  await database.exclusively(['rebind'], async query => {
    await query(sql`
      INSERT INTO settings (name, value) VALUES ('profile', ${profileId})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
    await noteAudit(query, 'rebind', profileId, { by, nowMs: Date.now() });
  });
}

/**
 * A secret that all processes of this installation share, made when it is first asked for.
 * @throws DatabaseFault
 */
export const installationSecret = (database: Database, name: string): Promise<string> =>
  setting(database, name, randomBytes(32).toString('base64url'));

async function setting({ query }: Database, name: string, value: string): Promise<string> {
  await query(
    sql`INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`,
  );
  const [row] = await query(sql`SELECT value FROM settings WHERE name = ${name}`);
  return String(row?.value);
}
