import { randomUUID } from 'node:crypto';
import { BUCKETS, type BucketName, limitOf, type Policies, type QuotaState } from '../../tools/policies.ts';
import { once } from '../config/once.ts';
import { migrate, type Schema } from '../database/migrate.ts';
import { type Database, type Query, sql } from '../database/sql.ts';
import type { RateLimiter } from './memory-limiter.ts';

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

  async function stateOf(query: Query, client: string, bucket: BucketName, atMs: number): Promise<QuotaState> {
    const { policy } = BUCKETS[bucket];
    const { quota, windowSeconds } = limitOf(BUCKETS[bucket], policies);
    const [row] = await query(sql`
      SELECT COUNT(*) AS used, MIN(taken_at) AS oldest FROM slots
      WHERE bucket = ${bucket} AND client = ${keyOf(client, bucket)}
        AND taken_at > ${atMs - windowSeconds * 1000} AND taken_at <= ${atMs + CLOCK_SLACK_MS}`);
    const used = Number(row?.used);
    const resetSeconds = used === 0 ? 0 : Math.max(1, Math.ceil((Number(row?.oldest) - atMs) / 1000 + windowSeconds));
    return { policy, quota, windowSeconds, remaining: Math.max(0, quota - used), resetSeconds };
  }

  /** One after the other: a transaction has one connection. */
  async function statesOf(query: Query, client: string, buckets: readonly BucketName[], atMs: number) {
    const states: QuotaState[] = [];
    for (const bucket of buckets) states.push(await stateOf(query, client, bucket, atMs));
    return states;
  }

  /** Service-wide slots are one client's. */
  function keyOf(client: string, bucket: BucketName): string {
    return limitOf(BUCKETS[bucket], policies).scope === 'service' ? 'service' : client;
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
          await query(
            sql`INSERT INTO slots (id, bucket, client, taken_at) VALUES (${id}, ${bucket}, ${keyOf(client, bucket)}, ${atMs})`,
          );
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
