import { randomUUID } from 'node:crypto';
import type { BucketName, Policies, QuotaState } from '../../tools/policies.ts';
import { once } from '../config/once.ts';
import { migrate, type Schema } from '../database/migrate.ts';
import { type Database, type Query, sql } from '../database/sql.ts';
import { countedOf, type RateLimiter, stateOf } from './rate-limiter.ts';

const SLOTS: Schema = {
  name: 'limits',
  steps: [
    [
      'CREATE TABLE slots (id TEXT NOT NULL, bucket TEXT NOT NULL, client TEXT NOT NULL, taken_at BIGINT NOT NULL)',
      'CREATE INDEX slots_counted ON slots (bucket, client, taken_at)',
      'CREATE INDEX slots_taken ON slots (taken_at)',
    ],
  ],
};

/** A clock may go back by this much. Slots further in the future do not count. */
const CLOCK_SLACK_MS = 60_000;

interface SqlLimiterParts {
  readonly database: Database;
  readonly policies: Policies;
  /** Milliseconds since 1970: the time that processes and restarts share. */
  readonly nowMs: () => number;
}

/**
 * The sliding log of `memory-limiter.ts` in the database of submissions, for the limits of an hour: they hold across restarts
 * and for all processes of one database.
 * @throws from `hit`, where the database fails
 */
export function createSqlLimiter({ database, policies, nowMs }: SqlLimiterParts): RateLimiter {
  const prepared = once(() => migrate(database, SLOTS));
  const longestMs = Math.max(...Object.values(policies).map(({ windowSeconds }) => windowSeconds * 1000));

  async function stateIn(query: Query, client: string, bucket: BucketName, atMs: number): Promise<QuotaState> {
    const counted = countedOf(bucket, client, policies);
    const windowMs = counted.policy.windowSeconds * 1000;
    const [row] = await query(sql`
      SELECT COUNT(*) AS used, MIN(taken_at) AS oldest FROM slots
      WHERE bucket = ${bucket} AND client = ${counted.key}
        AND taken_at > ${atMs - windowMs} AND taken_at <= ${atMs + CLOCK_SLACK_MS}`);
    return stateOf(counted, Number(row?.used), Number(row?.oldest) - atMs + windowMs);
  }

  /** One after the other: a transaction has one connection. */
  async function statesOf(query: Query, client: string, buckets: readonly BucketName[], atMs: number) {
    const states: QuotaState[] = [];
    for (const bucket of buckets) states.push(await stateIn(query, client, bucket, atMs));
    return states;
  }

  return {
    async hit(client, buckets, slots) {
      await prepared();
      const atMs = nowMs();
      if (slots === 0) {
        return { ok: true, states: await statesOf(database.query, client, buckets, atMs), giveBack: async () => {} };
      }
      const id = randomUUID();
      return database.exclusively('limits', async query => {
        await query(sql`DELETE FROM slots WHERE taken_at <= ${atMs - longestMs}`);
        const states = await statesOf(query, client, buckets, atMs);
        const ok = states.every(({ remaining }) => remaining > 0);
        if (!ok) return { ok, states, giveBack: async () => {} };
        for (const bucket of buckets) {
          const { key } = countedOf(bucket, client, policies);
          await query(sql`INSERT INTO slots (id, bucket, client, taken_at) VALUES (${id}, ${bucket}, ${key}, ${atMs})`);
        }
        return {
          ok,
          states: await statesOf(query, client, buckets, atMs),
          // Where the database fails here too, the slots are free again when their window ends.
          giveBack: () => database.query(sql`DELETE FROM slots WHERE id = ${id}`).then(ignore, ignore),
        };
      });
    },
  };
}

const ignore = () => {};
