import {
  type Admission,
  BUCKETS,
  type BucketName,
  type Policies,
  type QuotaState,
  rateLimited,
} from '../../tools/policies.ts';
import { createMemoryLimiter, type RateLimiter } from './memory-limiter.ts';

/** Admission of one request, which remembers the states that its response has to show. */
export interface RequestAdmission extends Admission {
  /** States of all buckets taken so far, else of `bucket` without taking a slot there. */
  statesOr(bucket: BucketName): Promise<readonly QuotaState[]>;
}

interface Options {
  readonly limiter: RateLimiter;
  readonly client: string;
  /** A page that says what the limits are and has none, for the hint of a refusal. */
  readonly limitsUrl: string;
  /** Counts failed attempts; without one they are not counted. */
  readonly failures?: RateLimiter | undefined;
}

/**
 * Counts the failed attempts of each client, at this instance: as many as it may ask questions, which is far above what
 * people mistype, and stops a program that sends nothing else.
 */
export function createFailureLimiter({ default: policy }: Policies, now: () => number): RateLimiter {
  return createMemoryLimiter({
    policies: { default: policy, submissions: policy, actions: policy, 'actions-service': policy },
    now,
  });
}

const isPublished = (bucket: BucketName) => !('times' in BUCKETS[bucket]);

export function createAdmission({ limiter, client, limitsUrl, failures }: Options): RequestAdmission {
  const shown = new Map<BucketName, QuotaState>();
  const show = (buckets: readonly BucketName[], states: readonly QuotaState[]) => {
    states.forEach((state, index) => {
      const bucket = buckets[index];
      if (bucket) shown.set(bucket, state);
    });
  };
  const look = async (...buckets: readonly BucketName[]) => {
    show(buckets, (await limiter.hit(client, buckets, 0)).states);
  };
  return {
    async take(...buckets) {
      const { ok, states, giveBack } = await limiter.hit(client, buckets, 1);
      if (!ok || buckets.every(isPublished)) show(buckets, states);
      if (!ok) throw rateLimited(states, limitsUrl);
      return async () => {
        await giveBack();
        await look(...buckets);
      };
    },
    look,
    async refuseFailing() {
      const verdict = await failures?.hit(client, ['ask'], 0);
      if (!verdict?.states.some(({ remaining }) => remaining === 0)) return;
      show(['forms'], verdict.states);
      throw rateLimited(verdict.states, limitsUrl);
    },
    async countFailure() {
      await failures?.hit(client, ['ask'], 1);
    },
    async statesOr(bucket) {
      return shown.size > 0 ? [...shown.values()] : (await limiter.hit(client, [bucket], 0)).states;
    },
  };
}
