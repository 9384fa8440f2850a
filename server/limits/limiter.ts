import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import { BUCKETS, type BucketName, type Policies } from '../../tools/policies.ts';
import type { Log } from '../config/log.ts';
import { within } from '../config/timing.ts';
import type { Database } from '../outbox/sql.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createSqlLimiter, databaseTime } from './sql-limiter.ts';

interface LimiterParts {
  readonly policies: Policies;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** That of submissions. */
  readonly database: Database;
  readonly log: Log;
  /** Pause between two looks at a database that failed. Milliseconds. */
  readonly retryMs?: number;
}

/** A question waits this long for a frozen database, once. */
const PATIENCE_MS = 3000;

/**
 * Counts in Postgres, by its clock, for all instances; with SQLite only the limits of an hour are in the database, so that
 * they survive a restart. While the database fails this process counts alone, from what it accepted before.
 */
export function createLimiter(parts: LimiterParts): RateLimiter {
  const { policies, monotonicMs, nowMs, database, log, retryMs = 5000 } = parts;
  const alone = createMemoryLimiter({ policies, monotonicMs });
  const isShared = database.dialect === 'postgres';
  const kept = createSqlLimiter({ database, policies, nowMs: isShared ? databaseTime : nowMs });
  let isAlone = false;

  async function countAlone(error: unknown): Promise<void> {
    if (isAlone) return;
    isAlone = true;
    log('warn', 'limits', { shared: false, cause: messageOf(error), effect: 'this process counts alone' });
    while (isAlone) {
      await setTimeout(retryMs, undefined, { ref: false });
      // Writes too: a full disk can still be read.
      const looked = await within(PATIENCE_MS, kept.hit('', ['status'], 1)).catch(() => undefined);
      await looked?.giveBack();
      isAlone = looked === undefined;
    }
    log('info', 'limits', { shared: true });
  }

  return {
    async hit(client, buckets, slots) {
      const isKept = buckets.every(isHourly);
      // A form is committed in the same database, so one that finds it works is counted there, before the next look does.
      if (isShared ? isAlone && !isKept : isAlone || !isKept) return alone.hit(client, buckets, slots);
      try {
        const verdict = await within(PATIENCE_MS, kept.hit(client, buckets, slots));
        if (!verdict.ok || slots === 0) return verdict;
        const here = await alone.hit(client, buckets, slots);
        const giveBack = async () => void (await Promise.all([verdict.giveBack(), here.giveBack()]));
        return { ...verdict, giveBack };
      } catch (error) {
        void countAlone(error);
        return alone.hit(client, buckets, slots);
      }
    },
  };
}

const isHourly = (bucket: BucketName) => BUCKETS[bucket].policy !== 'default';
