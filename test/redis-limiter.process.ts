// contract: 7.1
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { RateLimiter } from '../server/limits/rate-limiter.ts';
import { connectRedis } from '../server/limits/redis-connection.ts';
import { createRedisLimiter } from '../server/limits/redis-limiter.ts';
import { type BucketName, POLICIES, type Policies } from '../tools/policies.ts';
import { ACTIONS, assertAgrees } from './limiter-history.ts';
import { NO_REDIS, startRedis } from './redis-server.ts';

const SECOND = 1000;

async function connect(t: TestContext, url: string) {
  const connection = await connectRedis(url);
  t.after(connection.close);
  return connection.redis;
}

async function start(t: TestContext, policies: Policies = POLICIES) {
  const server = await startRedis(t);
  const redis = await connect(t, server.url);
  return { server, redis, limiter: createRedisLimiter({ redis, policies }) };
}

const left = async (limiter: RateLimiter, client: string, bucket: BucketName) =>
  (await limiter.hit(client, [bucket], 0)).states[0]?.remaining;

describe('the limits in Redis', { skip: NO_REDIS, timeout: 60 * SECOND }, () => {
  it('give the verdicts of the limits in memory on the same history', async t => {
    const { redis } = await start(t);
    await assertAgrees(async ({ policies, now }) => {
      await redis.flushall();
      return createRedisLimiter({ redis, policies, nowMs: now });
    }, 100);
  });

  it('go by the clock of Redis and free a slot when its window has passed', async t => {
    const second: Policies = { ...POLICIES, default: { quota: 1, windowSeconds: 1, scope: 'client' } };
    const { limiter, redis } = await start(t, second);
    const clock = async () =>
      (await redis.time()).map(Number).reduce((seconds, micros) => seconds * 1000 + micros / 1000);
    const before = await clock();
    const first = await limiter.hit('a', ['ask'], 1);
    const [, at] = (await redis.zrange('{aval}:ask:a', '0', '-1', 'WITHSCORES')).map(Number);
    assert.ok(at !== undefined && at >= Math.floor(before) && at <= (await clock()), `${before} ${at}`);
    assert.deepEqual(first.states, [{ policy: 'default', quota: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 }]);
    assert.equal((await limiter.hit('a', ['ask'], 1)).ok, false);
    await new Promise(resolve => setTimeout(resolve, 1010));
    assert.equal((await limiter.hit('a', ['ask'], 1)).ok, true);
  });

  it('are never exceeded by connections in parallel, and a refusal of the service costs a client nothing', async t => {
    const { server, redis } = await start(t);
    const connections = [redis, await connect(t, server.url), await connect(t, server.url)];
    const limiters = connections.map(one => createRedisLimiter({ redis: one, policies: POLICIES }));
    const clients = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const hits = Array.from({ length: 80 }, async (_, index) => {
      const client = clients[index % clients.length]!;
      return { client, ...(await limiters[index % limiters.length]!.hit(client, ACTIONS, 1)) };
    });
    const accepted = (await Promise.all(hits)).filter(({ ok }) => ok);
    assert.equal(accepted.length, 20);
    for (const client of clients) {
      const taken = accepted.filter(hit => hit.client === client).length;
      assert.ok(taken <= 5);
      assert.equal(await left(limiters[0]!, client, 'actions'), 5 - taken);
    }
  });

  it('give back the very slot that was taken', async t => {
    const { limiter } = await start(t);
    await limiter.hit('a', ACTIONS, 1);
    const { giveBack } = await limiter.hit('a', ACTIONS, 1);
    await giveBack();
    await giveBack();
    assert.deepEqual([await left(limiter, 'a', 'actions'), await left(limiter, 'a', 'actions-service')], [4, 19]);
  });

  it('leave no key behind when the window has passed', async t => {
    const { limiter, redis } = await start(t);
    await limiter.hit('a', ['ask', ...ACTIONS], 1);
    const keys = await redis.keys('*');
    assert.deepEqual(keys.sort(), ['{aval}:actions-service:service', '{aval}:actions:a', '{aval}:ask:a']);
    for (const key of keys) assert.ok((await redis.pttl(key)) > 0);
  });

  it('outlive SCRIPT FLUSH', async t => {
    const { limiter, redis } = await start(t);
    await limiter.hit('a', ['ask'], 1);
    await redis.script('FLUSH');
    assert.equal((await limiter.hit('a', ['ask'], 1)).states[0]?.remaining, 58);
  });

  it('are counted anew in a Redis that was started again', async t => {
    const { limiter, server } = await start(t);
    await limiter.hit('a', ['ask'], 1);
    await server.stop();
    await assert.rejects(limiter.hit('a', ['ask'], 1));
    await server.start();
    await answers(limiter);
    assert.equal(await left(limiter, 'a', 'ask'), 60);
  });

  it('count an answer that came while this process was busy', async t => {
    const { limiter } = await start(t);
    await limiter.hit('a', ['ask'], 1);
    const asked = limiter.hit('a', ['ask'], 1);
    await new Promise(setImmediate);
    for (const until = performance.now() + 400; performance.now() < until; );
    assert.equal((await asked).states[0]?.remaining, 58);
  });

  it('take nothing for a request that was given up while Redis was frozen', async t => {
    const { limiter, server } = await start(t);
    await limiter.hit('a', ['ask'], 1);
    server.freeze();
    await assert.rejects(limiter.hit('a', ['ask'], 1), /no answer within 250 ms/);
    server.thaw();
    await answers(limiter);
    assert.equal(await left(limiter, 'a', 'ask'), 59);
  });
});

/** Resolves when the connection has mended itself. */
async function answers(limiter: RateLimiter): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answered = await limiter.hit('nobody', ['ask'], 0).catch(() => undefined);
    if (answered) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  assert.fail('Redis did not answer again');
}
