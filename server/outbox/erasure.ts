import { type Database, type Query, type Sql, sql } from './sql.ts';

/** Rows of one statement: a long write would make others wait. */
const PAGE = 500;

/**
 * Erases personal data of submissions whose last delivery ended before a time, and deletes records that were
 * erased before it, so that the store does not grow for ever. It never touches what is still owed.
 * @returns how many were erased
 */
export async function purgeFinished(database: Database, beforeMs: number, nowMs: number): Promise<number> {
  const { query } = database;
  const old = sql`SELECT id FROM submissions WHERE erased_at < ${beforeMs} LIMIT ${PAGE}`;
  while ((await query(sql`DELETE FROM submissions WHERE id IN (${old}) RETURNING id`)).length > 0);
  const finished = sql`
    SELECT id FROM submissions WHERE erased_at IS NULL AND received_at < ${beforeMs} AND NOT EXISTS (
      SELECT 1 FROM deliveries WHERE submission = id AND (done_at IS NULL OR done_at >= ${beforeMs})
    ) LIMIT ${PAGE}`;
  let count = 0;
  for (let erased = -1; erased !== 0; count += erased) {
    erased = (await erase(query, sql`id IN (${finished})`, nowMs)).length;
  }
  if (count > 0) await forgetLog(database);
  return count;
}

/** Deletes the questions that ASK_LOG kept before a time, also where it is off by now. */
export const purgeAsked = ({ query }: Database, beforeMs: number) =>
  query(sql`DELETE FROM asked WHERE at < ${beforeMs}`);

/** Erases everything of one mailbox, by its hash. */
export async function eraseRecipient(database: Database, recipient: string, nowMs: number) {
  const erased = await database.exclusively(['erase'], query =>
    erase(query, sql`recipient = ${recipient}`, nowMs),
  );
  await forgetLog(database);
  return erased;
}

async function erase(query: Query, which: Sql, nowMs: number) {
  const rows = await query(sql`
    UPDATE submissions SET fields = NULL, client_key = NULL, client_network = NULL, body_hash = NULL,
      key_hash = NULL, recipient = NULL, mailbox = NULL, request = NULL, erased_at = ${nowMs}
    WHERE erased_at IS NULL AND ${which} RETURNING id, reference`);
  const erased: { readonly id: string; readonly reference: string; readonly wasPending: boolean }[] = [];
  for (const { id, reference } of rows) {
    // What is still owed is given up. What a mail server said may name whom it refused.
    const parts = await query(sql`
      UPDATE deliveries SET reply = NULL, due_at = NULL, done_at = COALESCE(done_at, ${nowMs}),
        state = CASE WHEN done_at IS NULL THEN 'abandoned' ELSE state END
      WHERE submission = ${String(id)} RETURNING part, state`);
    const wasPending = parts.some(({ part, state }) => part === 'team' && state === 'abandoned');
    erased.push({ id: String(id), reference: String(reference), wasPending });
  }
  return erased;
}

/** SQLite's log still holds what was overwritten, until it is truncated. */
async function forgetLog({ dialect, query }: Database): Promise<void> {
  if (dialect === 'sqlite') await query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
}
