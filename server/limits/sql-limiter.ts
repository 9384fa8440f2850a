import { randomUUID } from 'node:crypto';
import type { BucketName, Policies, QuotaState } from '../../tools/policies.ts';
import { type Database, numberOf, type Query, sql } from '../outbox/sql.ts';
import { countedOf, type RateLimiter, stateOf } from './rate-limiter.ts';

/** A clock may go back by this much. Slots further in the future do not count. */
const CLOCK_SLACK_MS = 60_000;

interface SqlLimiterParts {
  readonly database: Database;
  readonly policies: Policies;
  /** Milliseconds since 1970: the time that processes and restarts share. */
  readonly nowMs: (query: Query) => number | Promise<number>;
}

/** The clock of a Postgres, which all instances share. */
export async function databaseTime(query: Query): Promise<number> {
  return Number(
    await numberOf(query, sql`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`),
  );
}

const SWEEP_MS = 60_000;

/**
 * The sliding log of `memory-limiter.ts` in the database of submissions: it holds across restarts and for all processes of
 * one database.
 * @throws from `hit`, where the database fails
 */
export function createSqlLimiter({ database, policies, nowMs }: SqlLimiterParts): RateLimiter {
  const longestMs = Math.max(...Object.values(policies).map(({ windowSeconds }) => windowSeconds * 1000));

  /** One after the other: a transaction has one connection. */
  async function statesOf(query: Query, client: string, buckets: readonly BucketName[], at: number) {
    const states: QuotaState[] = [];
    for (const bucket of buckets) {
      const counted = countedOf(bucket, client, policies);
      const [row] = await query(sql`
        SELECT COUNT(*) AS used, MIN(taken_at) AS oldest FROM slots
        WHERE bucket = ${bucket} AND client = ${counted.key}
          AND taken_at > ${at - counted.windowMs} AND taken_at <= ${at + CLOCK_SLACK_MS}`);
      states.push(stateOf(counted, Number(row?.used), Number(row?.oldest) - at + counted.windowMs));
    }
    return states;
  }

  let sweptAtMs = Number.NEGATIVE_INFINITY;
  /** In a transaction of its own: two that delete rows of others could wait for each other. */
  async function sweep(atMs: number): Promise<void> {
    if (atMs - sweptAtMs < SWEEP_MS) return;
    sweptAtMs = atMs;
    await database.exclusively('limits sweep', query =>
      query(sql`DELETE FROM slots WHERE taken_at <= ${atMs - longestMs}`),
    );
  }

  return {
    async hit(client, buckets, slots) {
      if (slots === 0) {
        const states = await statesOf(database.query, client, buckets, await nowMs(database.query));
        return { ok: true, states, giveBack: async () => {} };
      }
      const id = randomUUID();
      // Questions of one client do not wait for another's.
      const lock = buckets.length === 1 ? `limits ${buckets[0]} ${client}` : 'limits';
      const taken = await database.exclusively(lock, async query => {
        const atMs = await nowMs(query);
        const states = await statesOf(query, client, buckets, atMs);
        const ok = states.every(({ remaining }) => remaining > 0);
        if (!ok) return { atMs, ok, states, giveBack: async () => {} };
        for (const bucket of buckets) {
          const { key } = countedOf(bucket, client, policies);
          await query(
            sql`INSERT INTO slots (id, bucket, client, taken_at) VALUES (${id}, ${bucket}, ${key}, ${atMs})`,
          );
        }
        return {
          atMs,
          ok,
          states: await statesOf(query, client, buckets, atMs),
          // Where the database fails here too, the slots are free again when their window ends.
          giveBack: async () =>
            void (await database.query(sql`DELETE FROM slots WHERE id = ${id}`).catch(() => {})),
        };
      });
      await sweep(taken.atMs);
      return taken;
    },
  };
}
