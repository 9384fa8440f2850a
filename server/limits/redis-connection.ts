import type { Redis } from 'ioredis';

/** A connection that mends itself. */
export interface RedisConnection {
  readonly redis: Redis;
  /** Why it is not connected, as far as is known. */
  readonly fault: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** No command waits longer than this; requests have less patience (redis-limiter.ts). */
const COMMAND_MS = 2000;

/** At start; a Redis that comes later is used from then on. */
const FIRST_CONNECTION_MS = 1000;

/**
 * Connects to Redis or Valkey; ioredis is loaded here only. A command fails at once while there is no connection, and is
 * never sent again: after a new connection a hit would count twice.
 */
export async function connectRedis(url: string): Promise<RedisConnection> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: COMMAND_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    socketTimeout: 2000, // notices a host that went away without a word
    retryStrategy: attempt => Math.min(100 * attempt, 2000),
    protocol: 2, // what every version and every proxy speaks
  });
  let fault: string | undefined;
  redis.on('error', (error: Error) => {
    fault = error.message || String(error);
  });
  redis.on('close', () => {
    fault ??= 'the connection was closed';
  });
  redis.on('ready', () => {
    fault = undefined;
  });
  await firstConnection(redis);
  return { redis, fault: () => fault, close: () => close(redis) };
}

function firstConnection(redis: Redis): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, FIRST_CONNECTION_MS);
    const connected = () => {
      clearTimeout(timer);
      resolve();
    };
    redis.connect().then(connected, connected);
  });
}

/** With a goodbye where somebody listens. */
async function close(redis: Redis): Promise<void> {
  await redis.quit().catch(() => {});
  redis.disconnect();
}

/**
 * What Redis does when its memory is full. Anything but `noeviction` forgets counts then, and lets requests past their limits.
 * @returns the policy; `undefined` where the server does not say
 */
export async function evictionPolicy({ redis }: RedisConnection): Promise<string | undefined> {
  const memory = await redis.info('memory');
  return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
}
