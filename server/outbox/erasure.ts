import { setTimeout } from 'node:timers/promises';
import type { Store } from './deliveries.ts';
import { MAILS } from './senders.ts';
import { type Database, listOf, numberOf, sql } from './sql.ts';
import { type Part, type Stored, select } from './stored-submission.ts';

/** Rows of one statement. A longer write would delay others. */
const PAGE = 500;

/** Up to 5 s in all: other programs read for milliseconds, and a back-up for seconds. */
const TRIES = 50;
const TRY_EVERY_MS = 100;

interface Erasure {
  readonly erased: readonly Stored[];
  /** The deleted data is still in SQLite's journal, because somebody reads it. Erase again. */
  readonly isInJournal: boolean;
}

type PurgedStore = Pick<Store, 'database' | 'hasWebhook'>;

/**
 * Deletes submissions whose last delivery ended before a time, and questions that were kept before it, also
 * after ASK_LOG was switched off. It never touches a submission with an open mail of production, or an open
 * event while a webhook is set. What nobody will send keeps nothing: an event of a webhook that was taken
 * away, a mail of a dry run.
 * @returns how many submissions were deleted
 */
export async function purge({ database, hasWebhook }: PurgedStore, beforeMs: number): Promise<number> {
  const { query } = database;
  const owed: readonly Part[] = hasWebhook ? [...MAILS, 'webhook'] : MAILS;
  await query(sql`DELETE FROM asked WHERE at < ${beforeMs}`);
  const finished = sql`
    SELECT id FROM submissions WHERE received_at < ${beforeMs} AND NOT EXISTS (
      SELECT 1 FROM deliveries WHERE submission = id AND (done_at >= ${beforeMs}
        OR done_at IS NULL AND mode = 'production' AND part IN (${listOf(owed)}))
    ) LIMIT ${PAGE}`;
  let count = 0;
  for (let deleted = PAGE; deleted === PAGE; count += deleted) {
    deleted = (await query(sql`DELETE FROM submissions WHERE id IN (${finished}) RETURNING id`)).length;
  }
  // Also where nothing was deleted: in an earlier round somebody may have read the journal.
  await emptyJournal(database);
  return count;
}

/**
 * Deletes all submissions of a mailbox. Open deliveries are not sent any more.
 * @param recipient hash of the mailbox
 * @returns what was deleted, and whether it is gone
 */
export async function eraseRecipient(database: Database, recipient: string): Promise<Erasure> {
  const erased = await database.exclusively(['erase'], async query => {
    const records = await select(query, sql`WHERE recipient = ${recipient}`);
    for (const { id } of records) await query(sql`DELETE FROM submissions WHERE id = ${id}`);
    return records;
  });
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if (await emptyJournal(database)) return { erased, isInJournal: false };
    await setTimeout(TRY_EVERY_MS);
  }
  return { erased, isInJournal: true };
}

/**
 * Empties SQLite's journal, which still has the deleted data. It cannot while somebody reads the journal.
 * @returns whether it is empty
 */
async function emptyJournal({ dialect, query }: Database): Promise<boolean> {
  if (dialect !== 'sqlite') return true;
  const busy = await numberOf(query, sql`PRAGMA wal_checkpoint(TRUNCATE)`);
  return busy === 0;
}
