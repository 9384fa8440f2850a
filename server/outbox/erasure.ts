import { type Acting, noteAudit } from './archive.ts';
import { type Database, type Query, type Sql, sql } from './sql.ts';

/** Rows of one statement: a long write would make others wait. */
const PAGE = 500;

/**
 * Erases personal data of submissions that finished before a time, and deletes records that were erased
 * before it, so that the store does not grow for ever. It never touches pending ones.
 * @returns how many were erased
 */
export async function purgeFinished(database: Database, beforeMs: number, nowMs: number): Promise<number> {
  const { query } = database;
  const page = sql`SELECT id FROM submissions WHERE finished_at < ${beforeMs} AND erased_at`;
  const [old, done] = [sql`${page} < ${beforeMs} LIMIT ${PAGE}`, sql`${page} IS NULL LIMIT ${PAGE}`];
  while ((await query(sql`DELETE FROM submissions WHERE id IN (${old}) RETURNING id`)).length > 0);
  let count = 0;
  for (let erased = -1; erased !== 0; count += erased) {
    erased = (await erase(query, sql`id IN (${done})`, { by: 'retention', nowMs })).length;
  }
  if (count > 0) await forgetLog(database);
  return count;
}

/** Deletes the questions that ASK_LOG kept before a time, also where it is off by now. */
export const purgeAsked = ({ query }: Database, beforeMs: number) =>
  query(sql`DELETE FROM asked WHERE at < ${beforeMs}`);

/** Erases everything of one mailbox, by its hash; the audit keeps the hash. */
export async function eraseRecipient(database: Database, recipient: string, erasing: Acting) {
  const erased = await database.exclusively(['erase'], async query => {
    await noteAudit(query, 'erase', recipient, erasing);
    return erase(query, sql`recipient = ${recipient}`, erasing);
  });
  await forgetLog(database);
  return erased;
}

async function erase(query: Query, which: Sql, { by, nowMs }: Acting) {
  const rows = await query(sql`
    UPDATE submissions SET fields = NULL, client_key = NULL, client_network = NULL, body_hash = NULL, key_hash = NULL,
      recipient = NULL, mailbox = NULL, mail_id = NULL, request = NULL, due_at = NULL, erased_at = ${nowMs},
      finished_at = COALESCE(finished_at, ${nowMs}), abandoned_by = CASE state WHEN 'pending' THEN ${by} ELSE abandoned_by END,
      state = CASE state WHEN 'pending' THEN 'abandoned' ELSE state END
    WHERE erased_at IS NULL AND ${which} RETURNING id, reference, state, finished_at`);
  const erased = rows.map(({ id, reference, state, finished_at }) => ({
    id: String(id),
    reference: String(reference),
    // It is given up: the team never got it.
    wasPending: state === 'abandoned' && finished_at === nowMs,
  }));
  for (const { id } of erased) {
    // What a mail server said may name whom it refused.
    await query(sql`UPDATE attempts SET reply = NULL WHERE submission = ${id}`);
    await query(sql`
      UPDATE webhooks SET state = 'failed', due_at = NULL, note = 'erased' WHERE submission = ${id} AND state = 'pending'`);
  }
  return erased;
}

/** SQLite's log still holds what was overwritten, until it is truncated. */
async function forgetLog({ dialect, query }: Database): Promise<void> {
  if (dialect === 'sqlite') await query(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
}
