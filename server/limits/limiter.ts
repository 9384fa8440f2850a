import type { BucketName, Policies } from '../../tools/policies.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Database } from '../database/sql.ts';
import { createFailoverLimiter } from './failover-limiter.ts';
import { createFallbackLimiter } from './fallback-limiter.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { connectRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisLimiter } from './redis-limiter.ts';
import { createSqlLimiter } from './sql-limiter.ts';

export interface OpenLimiter extends RateLimiter {
  readonly close: () => Promise<void>;
}

interface LimiterParts {
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** That of submissions. */
  readonly database: Database;
  readonly log: Log;
}

/** The limiter of the configuration: this installation's own, or Redis with one in memory to fall back on. A Redis that is away stops no start. */
export async function createLimiter({ policies, sharedLimits }: Config, options: LimiterParts): Promise<OpenLimiter> {
  const { monotonicMs, log } = options;
  if (!sharedLimits) return { ...createOwnLimiter(policies, options), close: async () => {} };
  const { instances, strict } = sharedLimits;
  const connection = await connectRedis(sharedLimits.redisUrl);
  const effect = strict ? 'all but the status is refused' : 'this instance counts alone';
  const isReady = connection.redis.status === 'ready';
  const failover = createFailoverLimiter({
    shared: withFaultOf(connection, createRedisLimiter({ redis: connection.redis, policies })),
    fallback: createFallbackLimiter({ policies, instances, strict, monotonicMs }),
    effect,
    fault: isReady ? undefined : (connection.fault() ?? 'no answer within a second'),
    monotonicMs,
    log,
  });
  connection.redis.on('ready', failover.look);
  return { ...failover, close: connection.close };
}

/** Counts the limits of a minute in memory and those of an hour in the database of submissions. */
export function createOwnLimiter(policies: Policies, { monotonicMs, nowMs, database, log }: LimiterParts): RateLimiter {
  const inMemory = createMemoryLimiter({ policies, monotonicMs });
  const kept = createFailoverLimiter({
    shared: createSqlLimiter({ database, policies, nowMs }),
    fallback: inMemory,
    effect: 'this process counts alone, and forgets at a restart',
    monotonicMs,
    log,
  });
  return {
    hit: (client, buckets, slots) =>
      (buckets.every(one => OF_AN_HOUR.has(one)) ? kept : inMemory).hit(client, buckets, slots),
  };
}

const OF_AN_HOUR: ReadonlySet<BucketName> = new Set(['forms', 'forms-service', 'actions', 'actions-service']);

/** Why there is no connection says more than that a command could not be sent. */
function withFaultOf({ fault }: RedisConnection, limiter: RateLimiter): RateLimiter {
  return {
    hit: (...request) =>
      limiter.hit(...request).catch((error: Error) => {
        throw new Error(fault() ?? error.message, { cause: error });
      }),
  };
}
