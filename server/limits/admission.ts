import type { Admission, QuotaState } from '../../tools/admission.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { BucketName } from '../../tools/policies.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Admission of one request, which remembers the states that its response has to show. */
export interface RequestAdmission extends Admission {
  /** States of all buckets taken so far, else of `bucket` without taking a slot there. */
  statesOr(bucket: BucketName): Promise<readonly QuotaState[]>;
}

interface Options {
  readonly limiter: RateLimiter;
  readonly client: string;
  /** Where the limits can be read, for the hint of a refusal. */
  readonly limitsUrl: string;
}

export function createAdmission({ limiter, client, limitsUrl }: Options): RequestAdmission {
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
      show(buckets, states);
      if (!ok) throw refusal(states, limitsUrl);
      return async () => {
        await giveBack();
        await look(...buckets);
      };
    },
    look,
    async statesOr(bucket) {
      return shown.size > 0 ? [...shown.values()] : (await limiter.hit(client, [bucket], 0)).states;
    },
  };
}

/** Waits for the slowest of the violated policies: an earlier retry would be refused again. */
function refusal(states: readonly QuotaState[], limitsUrl: string): ServiceError {
  const violated = states.filter(({ remaining }) => remaining === 0);
  const seconds = Math.max(1, ...violated.map(({ resetSeconds }) => resetSeconds));
  return new ServiceError('rate_limited', {
    hint: `Wait ${seconds} seconds, then try again. Limits: ${limitsUrl}`,
    retryAfterSeconds: seconds,
  });
}
