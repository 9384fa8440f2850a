import { type Database, sql } from './sql.ts';
import { type Stored, select } from './stored-submission.ts';

/** Rows of one statement. A longer write would delay others. */
const PAGE = 500;

/**
 * Deletes submissions whose last delivery ended before a time, and questions that were kept before it, also
 * after ASK_LOG was switched off. It never touches a submission with an open delivery.
 * @returns how many submissions were deleted
 */
export async function purge(database: Database, beforeMs: number): Promise<number> {
  const { query } = database;
  await query(sql`DELETE FROM asked WHERE at < ${beforeMs}`);
  const finished = sql`
    SELECT id FROM submissions WHERE received_at < ${beforeMs} AND NOT EXISTS (
      SELECT 1 FROM deliveries WHERE submission = id AND (done_at IS NULL OR done_at >= ${beforeMs})
    ) LIMIT ${PAGE}`;
  let count = 0;
  for (let deleted = PAGE; deleted === PAGE; count += deleted) {
    deleted = (await query(sql`DELETE FROM submissions WHERE id IN (${finished}) RETURNING id`)).length;
  }
  if (count > 0) await forgetLog(database);
  return count;
}

/**
 * Deletes all submissions of a mailbox. Open deliveries are not sent any more.
 * @param recipient hash of the mailbox
 * @returns what was deleted
 */
export async function eraseRecipient(database: Database, recipient: string): Promise<readonly Stored[]> {
  const erased = await database.exclusively(['erase'], async query => {
    const records = await select(query, sql`WHERE recipient = ${recipient}`);
    for (const { id } of records) await query(sql`DELETE FROM submissions WHERE id = ${id}`);
    return records;
  });
  await forgetLog(database);
  return erased;
}

/** Truncates SQLite's log, which still has the deleted data. */
async function forgetLog({ dialect, query }: Database): Promise<void> {
  if (dialect === 'sqlite') await query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
}
