// contract: 7.1
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFailoverLimiter } from '../server/limits/failover-limiter.ts';
import { createFallbackLimiter } from '../server/limits/fallback-limiter.ts';
import { createMemoryLimiter } from '../server/limits/memory-limiter.ts';
import type { RateLimiter } from '../server/limits/rate-limiter.ts';
import { type BucketName, POLICIES } from '../tools/policies.ts';
import { type LogLine, ManualClock } from './support.ts';

/** A shared limiter that fails at will, and counts how often it was asked. */
function start(fault?: string) {
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const verdict = { ok: true, states: [], giveBack: async () => {} };
  const state: { fails: boolean | string; asked: number } = { fails: false, asked: 0 };
  const shared: RateLimiter = {
    async hit() {
      state.asked += 1;
      if (state.fails) throw new Error(state.fails === true ? 'connection lost' : state.fails);
      return verdict;
    },
  };
  const fallback: RateLimiter = { hit: async () => ({ ...verdict, ok: false }) };
  const log = (level: string, event: string, fields = {}) => lines.push({ level, event, ...fields });
  const limiter = createFailoverLimiter({
    shared,
    fallback,
    monotonicMs: clock.monotonic,
    effect: 'counted alone',
    fault,
    log,
  });
  const hits = async (count: number) => {
    const verdicts = await Promise.all(Array.from({ length: count }, () => limiter.hit('a', ['ask'], 1)));
    return verdicts.map(({ ok }) => (ok ? 'shared' : 'fallback'));
  };
  return { clock, lines, state, hits, limiter };
}

describe('while Redis fails', () => {
  it('every request that it fails is decided here, and after three it is left alone for 5 s', async () => {
    const { clock, state, hits } = start();
    state.fails = true;
    for (const asked of [1, 2, 3, 3, 3]) {
      assert.deepEqual(await hits(1), ['fallback']);
      assert.equal(state.asked, asked);
    }
    clock.advance(4.999);
    await hits(10);
    assert.equal(state.asked, 3);
  });

  it('what was accepted here before counts on, and what was given back does not', async () => {
    const now = () => 0;
    const counts = createMemoryLimiter({ policies: POLICIES, monotonicMs: now });
    let isAway = false;
    const shared: RateLimiter = {
      hit: async (...asked) => (isAway ? Promise.reject(new Error('away')) : counts.hit(...asked)),
    };
    const fallback = createFallbackLimiter({ policies: POLICIES, instances: 2, strict: false, monotonicMs: now });
    const limiter = createFailoverLimiter({ shared, fallback, monotonicMs: now, effect: '', log: () => {} });
    const hit = () => limiter.hit('a', ['forms'], 1);
    for (let accepted = 0; accepted < 4; accepted += 1) await hit();
    await (await hit()).giveBack();
    isAway = true;
    assert.deepEqual([(await hit()).ok, (await hit()).ok], [true, false]);
  });

  it('what one client had from all instances together counts on for the others, whatever its own part', async () => {
    const now = () => 0;
    const counts = createMemoryLimiter({ policies: POLICIES, monotonicMs: now });
    const fallback = createFallbackLimiter({ policies: POLICIES, instances: 2, strict: false, monotonicMs: now });
    const limiter = createFailoverLimiter({ shared: counts, fallback, monotonicMs: now, effect: '', log: () => {} });
    for (const client of ['a', 'b']) {
      for (let accepted = 0; accepted < 5; accepted += 1) await limiter.hit(client, ['actions', 'actions-service'], 1);
    }
    assert.equal((await fallback.hit('c', ['actions', 'actions-service'], 1)).ok, false);
  });

  it('one request in 5 s tries it again, and the others do not wait with that one', async () => {
    const { clock, state, hits } = start();
    state.fails = true;
    await hits(3);
    for (const asked of [4, 5, 6]) {
      clock.advance(5);
      await hits(10);
      assert.equal(state.asked, asked);
    }
    state.fails = false;
    clock.advance(5);
    assert.deepEqual(await hits(2), ['shared', 'fallback']);
    clock.advance(5);
    assert.deepEqual(await hits(3), ['shared', 'shared', 'shared']);
  });

  it('one log line says when that begins and one when it ends, after three failures as after many', async () => {
    for (const failing of [3, 50]) {
      const { clock, lines, state, hits } = start();
      state.fails = true;
      for (let failed = 0; failed < failing; failed += 1) {
        await hits(1);
        clock.advance(failed < 2 ? 0 : 5);
      }
      state.fails = false;
      await hits(1);
      await hits(1);
      const begins = { shared: false, cause: 'connection lost', effect: 'counted alone', alarm: true };
      assert.deepEqual(lines, [
        { level: 'warn', event: 'limits', ...begins },
        { level: 'info', event: 'limits', shared: true },
      ]);
    }
  });

  it('is told to be back without a request, and where it was away from the start, after the first that works', async () => {
    const { clock, lines, state, hits, limiter } = start();
    state.fails = true;
    await hits(3);
    state.fails = false;
    await limiter.look();
    const { lines: later, hits: first } = start('no answer within a second');
    assert.deepEqual(await first(1), ['shared']);
    for (const all of [lines, later])
      assert.deepEqual(
        all.map(({ shared }) => shared),
        [false, true],
      );
    assert.equal(clock.monotonic(), 0);
  });

  it('a key that holds something else concerns its own client alone', async () => {
    const { lines, state, hits } = start();
    state.fails = 'WRONGTYPE Operation against a key holding the wrong kind of value';
    assert.deepEqual(await hits(10), Array(10).fill('fallback'));
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]?.cause), /WRONGTYPE/);
    state.fails = false;
    assert.deepEqual(await hits(1), ['shared']);
  });

  it('two failures in a row change nothing', async () => {
    const { lines, state, hits } = start();
    for (let round = 0; round < 5; round += 1) {
      state.fails = true;
      await hits(2);
      state.fails = false;
      assert.deepEqual(await hits(2), ['shared', 'shared']);
    }
    assert.deepEqual(lines, []);
  });
});

describe('one of several instances on its own', () => {
  const create = (instances: number, strict = false) =>
    createFallbackLimiter({ policies: POLICIES, instances, strict, monotonicMs: () => 0 });
  const buckets: readonly BucketName[] = ['ask', 'status', 'mcp', 'forms', 'actions', 'actions-service'];
  const remaining = async (instances: number) =>
    (await create(instances).hit('a', buckets, 0)).states.map(state => state.remaining);

  it('accepts its share of every limit, at least one', async () => {
    assert.deepEqual(await remaining(1), [60, 60, 60, 10, 5, 20]);
    assert.deepEqual(await remaining(3), [20, 20, 20, 3, 1, 6]);
    assert.deepEqual(await remaining(100), [1, 1, 1, 1, 1, 1]);
  });

  it('refuses everything for 30 s at a time where it must not count alone', async () => {
    const { ok, states } = await create(1, true).hit('a', ['actions', 'actions-service'], 1);
    assert.equal(ok, false);
    assert.deepEqual(states, [
      { policy: 'actions', quota: 5, windowSeconds: 3600, remaining: 0, resetSeconds: 30 },
      { policy: 'actions-service', quota: 20, windowSeconds: 3600, remaining: 0, resetSeconds: 30 },
    ]);
  });

  it('answers the status to the full limit in any case', async () => {
    for (const limiter of [create(100), create(1, true)]) {
      const { ok, states } = await limiter.hit('a', ['status'], 1);
      assert.deepEqual([ok, states[0]?.remaining], [true, 59]);
    }
  });
});
