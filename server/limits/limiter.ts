import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { createFailoverLimiter } from './failover-limiter.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { connectRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisLimiter } from './redis-limiter.ts';
import { createSpareLimiter } from './spare-limiter.ts';

export interface OpenLimiter extends RateLimiter {
  readonly close: () => Promise<void>;
}

interface Options {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Submitted actions accepted before this process started, in milliseconds ago, oldest first. */
  readonly actionsAgoMs: readonly number[];
  readonly log: Log;
}

/** The limiter of the configuration: in memory, or in Redis with one in memory to spare. A Redis that is away stops no start. */
export async function createLimiter({ policies, sharedLimits }: Config, options: Options): Promise<OpenLimiter> {
  const { now, actionsAgoMs, log } = options;
  if (!sharedLimits) return { ...createRateLimiter({ policies, now, actionsAgoMs }), close: async () => {} };
  const { instances, strict } = sharedLimits;
  const connection = await connectRedis(sharedLimits.redisUrl);
  const effect = strict ? 'all but the status is refused' : 'this instance counts alone';
  if (connection.redis.status !== 'ready') {
    const cause = connection.fault() ?? 'no answer within a second';
    log('warn', 'limits', { shared: false, cause, effect, alarm: true });
  }
  const failover = createFailoverLimiter({
    shared: withFaultOf(connection, createRedisLimiter({ redis: connection.redis, policies })),
    spare: createSpareLimiter({ policies, instances, strict, now, actionsAgoMs }),
    effect,
    now,
    log,
  });
  return { ...failover, close: connection.close };
}

/** Why there is no connection says more than that a command could not be sent. */
function withFaultOf({ fault }: RedisConnection, limiter: RateLimiter): RateLimiter {
  return {
    hit: (...request) =>
      limiter.hit(...request).catch((error: Error) => {
        throw new Error(fault() ?? error.message, { cause: error });
      }),
  };
}
