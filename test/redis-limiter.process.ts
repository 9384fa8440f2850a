// contract: 7.1

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter, type RateLimiter } from '../server/limits/rate-limiter.ts';
import { connectRedis } from '../server/limits/redis-connection.ts';
import { createRedisLimiter } from '../server/limits/redis-limiter.ts';
import { type BucketName, POLICIES, type Policies } from '../tools/policies.ts';
import { NO_REDIS, startRedis } from './redis-server.ts';

const SECOND = 1000;

/** Five actions a client and twenty for all. */
const ACTIONS: readonly BucketName[] = ['actions', 'actions-service'];

/** Small enough to be full often. */
const small: Policies = {
  ...POLICIES,
  default: { quota: 4, windowSeconds: 7, scope: 'client' },
  actions: { quota: 2, windowSeconds: 10, scope: 'client' },
  'actions-service': { quota: 3, windowSeconds: 10, scope: 'service' },
};

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

/** A request, or the return of what an earlier one took. */
const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 4 * SECOND }), fc.constantFrom(0, 1, 6999, 7000, 9999, 10_000)),
    client: fc.constantFrom('a', 'b', 'c'),
    buckets: fc.constantFrom<readonly BucketName[]>(['ask'], ACTIONS, ['ask', ...ACTIONS]),
    slots: fc.constantFrom<0 | 1>(0, 1, 1),
    givesBack: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 60 },
);

describe('the limits in Redis', { skip: NO_REDIS, timeout: 60 * SECOND }, () => {
  it('give the verdicts of the limits in memory on the same history', async t => {
    const { redis } = await start(t);
    await fc.assert(
      fc.asyncProperty(steps, async history => {
        await redis.flushall();
        let at = Date.now();
        const now = () => at;
        const shared = createRedisLimiter({ redis, policies: small, now });
        const local = createRateLimiter({ policies: small, now });
        for (const { waitMs, client, buckets, slots, givesBack } of history) {
          at += waitMs;
          const [seen, expected] = await Promise.all([shared, local].map(one => one.hit(client, buckets, slots)));
          assert.deepEqual([seen?.ok, seen?.states], [expected?.ok, expected?.states]);
          if (givesBack) await Promise.all([seen?.giveBack(), expected?.giveBack()]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('go by the clock of Redis and free a slot when its window has passed', async t => {
    const second: Policies = { ...POLICIES, default: { quota: 1, windowSeconds: 1, scope: 'client' } };
    const { limiter } = await start(t, second);
    const first = await limiter.hit('a', ['ask'], 1);
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
