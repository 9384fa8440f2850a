import { noteAudit } from './audit.ts';
import { type Database, type Query, type Sql, type SqlRow, sql } from './sql.ts';

/** Rows of one statement: a long write would make others wait. */
const PAGE = 500;

/**
 * Erases personal data of submissions that finished before a time, and deletes records that were erased before it, so that the
 * store does not grow for ever. It never touches pending ones.
 * @returns how many were erased
 */
export async function purgeFinished(database: Database, beforeMs: number, nowMs: number): Promise<number> {
  const { query } = database;
  await inPages(() =>
    query(sql`
      DELETE FROM submissions
      WHERE id IN (SELECT id FROM submissions WHERE finished_at < ${beforeMs} AND erased_at < ${beforeMs} LIMIT ${PAGE})
      RETURNING id`),
  );
  const erased = await inPages(() =>
    erase(
      query,
      nowMs,
      sql`SELECT id FROM submissions WHERE finished_at < ${beforeMs} AND erased_at IS NULL LIMIT ${PAGE}`,
    ),
  );
  if (erased.length > 0) await forgetLog(database);
  return erased.length;
}

/**
 * Erases everything of one mailbox, by its hash, and remembers the hash, so that a restore erases it again. What is pending
 * of it is given up.
 * @param erasing by which system user, and when
 * @returns those erased; `wasPending`: the team never got it
 */
export async function eraseRecipient(
  database: Database,
  recipient: string,
  { by, nowMs }: { readonly by: string; readonly nowMs: number },
): Promise<{ id: string; reference: string; wasPending: boolean }[]> {
  const theirs = sql`recipient = ${recipient} AND erased_at IS NULL`;
  const [given, erased] = await database.exclusively('erase', async inside => {
    const pending = await inside(sql`
      UPDATE submissions SET state = 'abandoned', abandoned_by = ${by}, finished_at = ${nowMs}
      WHERE ${theirs} AND state = 'pending' RETURNING id`);
    await inside(sql`UPDATE submissions SET finished_at = ${nowMs} WHERE ${theirs} AND finished_at IS NULL`);
    await noteAudit(inside, { atMs: nowMs, who: by, what: 'erase', about: recipient });
    return [pending, await erase(inside, nowMs, sql`SELECT id FROM submissions WHERE ${theirs}`)] as const;
  });
  await forgetLog(database);
  const givenUp = new Set(given.map(({ id }) => id));
  return erased.map(({ id, reference }) => ({
    id: String(id),
    reference: String(reference),
    wasPending: givenUp.has(id),
  }));
}

function erase(query: Query, nowMs: number, which: Sql): Promise<readonly SqlRow[]> {
  return query(sql`
    UPDATE submissions SET fields = NULL, client_key = NULL, client_network = NULL, body_hash = NULL, key_hash = NULL, recipient = NULL,
      mail_id = NULL, request = NULL, due_at = NULL, erased_at = ${nowMs}
    WHERE id IN (${which}) RETURNING id, reference`);
}

/** SQLite's log still holds what was overwritten, until it is truncated. */
async function forgetLog({ dialect, query }: Database): Promise<void> {
  if (dialect === 'sqlite') await query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
}

async function inPages(step: () => Promise<readonly SqlRow[]>): Promise<readonly SqlRow[]> {
  const all: SqlRow[] = [];
  for (let rows = await step(); rows.length > 0; rows = await step()) for (const row of rows) all.push(row);
  return all;
}
