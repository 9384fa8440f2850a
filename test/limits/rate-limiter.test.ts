import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMemoryLimiter } from '../../server/limits/memory-limiter.ts';
import type { BucketName } from '../../tools/policies.ts';
import { SMALL as policies, steps } from './limiter-history.ts';

const WINDOW_MS: Partial<Record<BucketName, number>> = {
  ask: 7000,
  actions: 10_000,
  'actions-service': 10_000,
};
const QUOTA: Partial<Record<BucketName, number>> = { ask: 4, actions: 2, 'actions-service': 3 };

interface Hit {
  readonly client: string;
  readonly buckets: readonly BucketName[];
  readonly slots: 0 | 1;
}

/** Times taken, by bucket and whoever shares it: what the limiter must agree with. */
class Model {
  readonly taken: { readonly key: string; readonly bucket: BucketName; readonly at: number }[] = [];

  recent(client: string, bucket: BucketName, at: number): number[] {
    const key = bucket === 'actions-service' ? 'all' : client;
    const window = WINDOW_MS[bucket] ?? 0;
    return this.taken
      .filter(row => row.key === key && row.bucket === bucket && row.at > at - window)
      .map(row => row.at);
  }

  hit({ client, buckets, slots }: Hit, at: number) {
    const ok = buckets.every(
      bucket => this.recent(client, bucket, at).length + slots <= (QUOTA[bucket] ?? 0),
    );
    for (const bucket of ok && slots === 1 ? buckets : []) {
      this.taken.push({ key: bucket === 'actions-service' ? 'all' : client, bucket, at });
    }
    const states = buckets.map(bucket => {
      const [oldest, ...rest] = this.recent(client, bucket, at);
      const used = oldest === undefined ? 0 : 1 + rest.length;
      const wait = oldest === undefined ? 0 : Math.ceil((oldest + (WINDOW_MS[bucket] ?? 0) - at) / 1000);
      return { remaining: (QUOTA[bucket] ?? 0) - used, resetSeconds: wait };
    });
    return { ok, states };
  }
}

describe('the rate limiter', () => {
  it('agrees with a plain count of the last window, slot by slot, all buckets or none', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async history => {
        let at = 0;
        const limiter = createMemoryLimiter({ policies, monotonicMs: () => at });
        const model = new Model();
        for (const hit of history) {
          at += hit.waitMs;
          const { ok, states } = await limiter.hit(hit.client, hit.buckets, hit.slots);
          const seen = states.map(({ remaining, resetSeconds }) => ({ remaining, resetSeconds }));
          assert.deepEqual({ ok, states: seen }, model.hit(hit, at));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('forgets the client unseen for longest beyond maxClients, in that bucket alone', async () => {
    const limiter = createMemoryLimiter({ policies, monotonicMs: () => 0, maxClients: 3 });
    const left = async (client: string, bucket: BucketName) =>
      (await limiter.hit(client, [bucket], 0)).states[0]?.remaining;
    await limiter.hit('a', ['actions'], 1);
    for (const client of ['a', 'b', 'c', 'a', 'd']) await limiter.hit(client, ['ask'], 1);
    assert.deepEqual([await left('a', 'ask'), await left('b', 'ask'), await left('c', 'ask')], [2, 4, 3]);
    assert.equal(await left('a', 'actions'), 1);
  });
});
