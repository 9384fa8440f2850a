import type { AskedQuestion } from '../../tools/deliver.ts';
import type { Backend } from '../../tools/tool.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery, HOUR_MS } from '../config/timing.ts';
import { type DatabaseSettings, openForCommand } from '../outbox/database.ts';
import { type Database, DatabaseFault, sql } from '../outbox/sql.ts';

interface AskLogOptions {
  readonly database: Database;
  /** Whether to keep questions. Default: no, for privacy. */
  readonly keep: boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** Questions that may wait for a slow database, about 5 MB. Further ones are dropped. */
const MAX_WAITING = 1000;

/**
 * Stores questions in the database of submissions, and says so in the log. The outbox purges both by age. A
 * question is stored after its answer was sent, so answers neither wait for it nor fail with it.
 */
export function createAskLog({ database, keep, now, log }: AskLogOptions): Backend['recordQuestion'] {
  if (!keep) return undefined;
  log('info', 'asked', {
    effect: 'ASK_LOG=on keeps questions as they come, for RETENTION_DAYS: the privacy policy must say so',
  });
  const logFailure = atMostEvery(HOUR_MS, now, (error: unknown) => {
    const fault = error instanceof DatabaseFault ? error.code : 'unknown';
    log('warn', 'asked', { fault, effect: 'questions are not kept' });
  });
  const store = async (question: string, askedAtMs: number) => {
    // Postgres takes no U+0000.
    const query = question.replace(/\p{Cc}/gu, ' ');
    await database.query(sql`INSERT INTO asked (at, query) VALUES (${askedAtMs}, ${query})`);
  };
  let waiting = 0;
  return question => {
    if (waiting >= MAX_WAITING) {
      logFailure(new DatabaseFault('DATABASE_BUSY', 'the database is too slow'));
      return;
    }
    waiting += 1;
    const askedAtMs = now();
    setImmediate(async () => {
      await store(question, askedAtMs).catch(logFailure);
      waiting -= 1;
    });
  };
}

/** Most questions of a report, the newest: more would need too much memory. */
const MAX_READ = 100_000;

/**
 * Opens the database, reads the kept questions, and closes it.
 * @throws as `openForCommand`
 */
export async function readAskedOnce(config: DatabaseSettings, sinceMs: number): Promise<AskedQuestion[]> {
  const database = await openForCommand(config, { readOnly: true });
  return readAsked(database, sinceMs).finally(() => database.close());
}

/** The questions kept since a time, oldest first. @throws DatabaseFault */
export async function readAsked(database: Database, sinceMs: number): Promise<AskedQuestion[]> {
  const rows = await database.query(
    sql`SELECT * FROM asked WHERE at >= ${sinceMs} ORDER BY at DESC LIMIT ${MAX_READ}`,
  );
  return rows.toReversed().map(row => ({ askedAtMs: Number(row.at), query: String(row.query) }));
}
