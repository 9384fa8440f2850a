import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMinuteLimiter } from '../../server/limits/minute-limiter.ts';
import { type MinuteBucket, POLICIES } from '../../tools/policies.ts';

/** Small enough to be full often. */
const policies = { ...POLICIES, default: { quota: 4, windowSeconds: 7, scope: 'client' } } as const;

const history = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(0, 1, 6999, 7000)),
    client: fc.constantFrom('a', 'b'),
    bucket: fc.constantFrom<MinuteBucket>('ask', 'mcp'),
  }),
  { maxLength: 60 },
);

describe('the limiter of requests a minute', () => {
  it('agrees with a plain count of the last window, request by request', () => {
    fc.assert(
      fc.property(history, requests => {
        let nowMs = 0;
        const limiter = createMinuteLimiter({ policies, monotonicMs: () => nowMs });
        const accepted: { readonly key: string; readonly atMs: number }[] = [];
        for (const { waitMs, client, bucket } of requests) {
          nowMs += waitMs;
          const key = `${client} ${bucket}`;
          const recent = () => accepted.filter(row => row.key === key && row.atMs > nowMs - 7000);
          const isExpected = recent().length < 4;
          const { ok, state } = limiter.take(client, bucket);
          if (isExpected) accepted.push({ key, atMs: nowMs });
          const [oldest] = recent();
          assert.equal(ok, isExpected);
          assert.equal(state.remaining, 4 - recent().length);
          assert.equal(state.resetSeconds, Math.ceil(((oldest?.atMs ?? nowMs) + 7000 - nowMs) / 1000));
          assert.deepEqual(limiter.look(client, bucket), state);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('forgets the client unseen for longest beyond maxClients, in that bucket alone', () => {
    const limiter = createMinuteLimiter({ policies, monotonicMs: () => 0, maxClients: 3 });
    limiter.take('a', 'mcp');
    for (const client of ['a', 'b', 'c', 'a', 'd']) limiter.take(client, 'ask');
    const left = (client: string, bucket: MinuteBucket) => limiter.look(client, bucket).remaining;
    assert.deepEqual([left('a', 'ask'), left('b', 'ask'), left('c', 'ask')], [2, 4, 3]);
    assert.equal(left('a', 'mcp'), 3);
  });
});
