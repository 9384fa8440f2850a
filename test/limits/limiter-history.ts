import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createMemoryLimiter } from '../../server/limits/memory-limiter.ts';
import type { RateLimiter } from '../../server/limits/rate-limiter.ts';
import { type BucketName, POLICIES, type Policies } from '../../tools/policies.ts';

/** Five actions a client and twenty for all. */
export const ACTIONS: readonly BucketName[] = ['actions', 'actions-service'];

/** Small enough to be full often. */
export const SMALL: Policies = {
  ...POLICIES,
  default: { quota: 4, windowSeconds: 7, scope: 'client' },
  actions: { quota: 2, windowSeconds: 10, scope: 'client' },
  'actions-service': { quota: 3, windowSeconds: 10, scope: 'service' },
};

/** Requests, each with the return of what it took or without. */
export const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(0, 1, 6999, 7000, 9999, 10_000)),
    client: fc.constantFrom('a', 'b', 'c'),
    buckets: fc.constantFrom<readonly BucketName[]>(['ask'], ACTIONS, ['ask', ...ACTIONS]),
    slots: fc.constantFrom<0 | 1>(0, 1, 1),
    givesBack: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 60 },
);

/**
 * Asserts that a limiter gives the verdicts of the limiter in memory on the same histories.
 * @param create a limiter that has counted nothing yet
 */
export async function assertAgrees(
  create: (options: { policies: Policies; now: () => number }) => Promise<RateLimiter>,
  numRuns: number,
): Promise<void> {
  let at = Date.now();
  const now = () => at;
  await fc.assert(
    fc.asyncProperty(steps, async history => {
      const limiter = await create({ policies: SMALL, now });
      const local = createMemoryLimiter({ policies: SMALL, monotonicMs: now });
      for (const { waitMs, client, buckets, slots, givesBack } of history) {
        at += waitMs;
        const [seen, expected] = await Promise.all(
          [limiter, local].map(one => one.hit(client, buckets, slots)),
        );
        assert.deepEqual([seen?.ok, seen?.states], [expected?.ok, expected?.states]);
        if (givesBack) await Promise.all([seen?.giveBack(), expected?.giveBack()]);
      }
    }),
    { numRuns },
  );
}
