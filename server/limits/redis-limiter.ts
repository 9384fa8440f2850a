import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import type { Policies } from '../../tools/policies.ts';
import { countedOf, type RateLimiter, stateOf } from './rate-limiter.ts';

interface RedisLimiterParts {
  /** Must run commands in the order they were given, and never send one twice. */
  readonly redis: Pick<Redis, 'eval' | 'zrem'>;
  readonly policies: Policies;
  /** Milliseconds; without it the clock of Redis, the one that all instances share. */
  readonly nowMs?: () => number;
}

/**
 * The sliding log of `memory-limiter.ts`, kept in Redis or Valkey, so that several instances count together: one sorted set per
 * bucket and client, its members the ids of the accepted requests, their scores the times. A script is atomic: all or none.
 * @throws from `hit`, where Redis fails or does not answer in time
 */
export function createRedisLimiter({ redis, policies, nowMs }: RedisLimiterParts): RateLimiter {
  return {
    async hit(client, buckets, slots) {
      const id = randomUUID();
      const rows = buckets.map(bucket => countedOf(bucket, client, policies));
      // The braces put all logs on one node of a cluster, which a script demands.
      const keys = rows.map(({ key }, at) => `{aval}:${buckets[at]}:${key}`);
      const limits = rows.flatMap(({ policy }) => [policy.quota, policy.windowSeconds * 1000]);
      const takeBack = async () => {
        // Where Redis fails here too, the slots are free again when their window ends.
        await Promise.all(keys.map(key => redis.zrem(key, id))).catch(() => {});
      };
      const isFew = rows.some(({ policy }) => policy.windowSeconds >= 3600);
      const reply = await within(
        isFew ? FEW_MS : MANY_MS,
        redis.eval(HIT, keys.length, ...keys, id, slots, nowMs?.() ?? '', ...limits),
      ).catch((error: unknown) => {
        // A frozen Redis still runs, when it wakes, a command that was given up here. This one follows it.
        void takeBack();
        throw error;
      });
      const [free, ...counts] = Reply.parse(reply);
      return {
        ok: free === 1,
        states: rows.map((row, index) => stateOf(row, counts[2 * index]!, counts[2 * index + 1]!)),
        giveBack: takeBack,
      };
    },
  };
}

/** How long a request waits for Redis, which usually answers within one millisecond; longer where a slot more would matter. */
const MANY_MS = 250;
const FEW_MS = 1000;

function within(ms: number, reply: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`));
    // A process that was busy for so long reads first what has arrived meanwhile.
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), ms);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** 1 where the slots were free, then for each key: slots used, milliseconds until the oldest is free. */
const Reply = z.array(z.number());

/** KEYS: the logs. ARGV: id, slots, time or '', then for each log its quota and its window in milliseconds. */
const HIT = `
local id, slots, now = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local free = true
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[3 + 2 * i])
  free = free and redis.call('ZCARD', key) + slots <= tonumber(ARGV[2 + 2 * i])
end
local reply = { free and 1 or 0 }
for i, key in ipairs(KEYS) do
  local window = tonumber(ARGV[3 + 2 * i])
  if free and slots > 0 then
    redis.call('ZADD', key, now, id)
    redis.call('PEXPIRE', key, window)
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  table.insert(reply, redis.call('ZCARD', key))
  table.insert(reply, oldest and oldest + window - now or 0)
end
return reply`;
