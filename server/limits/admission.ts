import { ServiceError } from '../../tools/errors.ts';
import {
  type Admission,
  BUCKETS,
  type BucketName,
  type Policies,
  type QuotaState,
  rateLimited,
} from '../../tools/policies.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import type { Meter } from './meter.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Admission of one request, which remembers the states that its response has to show. */
export interface RequestAdmission extends Admission {
  /** States of all buckets taken so far, else of `bucket` without taking a slot there. */
  statesOr(bucket: BucketName): Promise<readonly QuotaState[]>;
}

interface AdmissionParts {
  readonly limiter: RateLimiter;
  readonly client: string;
  /** A page that says what the limits are and has none, for the hint of a refusal. */
  readonly limitsUrl: string;
  /** Counts failed attempts; without one they are not counted. */
  readonly failures?: RateLimiter | undefined;
  /** Measures what no quota counts; without one nobody does. */
  readonly meter?: Meter | undefined;
}

/** What each request costs before and after its handler: reading, headers, the line in the log. Milliseconds. */
const AROUND_MS = 0.2;

/** A request that took longer waited for something, or made a document that all clients share. Milliseconds. */
const MOST_MS = 50;

/**
 * Counts the failed attempts of each client, at this instance: as many as it may ask questions, which is far above what
 * people mistype, and stops a program that sends nothing else.
 */
export function createFailureLimiter({ default: policy }: Policies, monotonicMs: () => number): RateLimiter {
  return createMemoryLimiter({
    policies: { default: policy, submissions: policy, actions: policy, 'actions-service': policy },
    monotonicMs,
  });
}

const isPublished = (bucket: BucketName) => !('times' in BUCKETS[bucket]);

export function createAdmission({ limiter, client, limitsUrl, failures, meter }: AdmissionParts): RequestAdmission {
  const shown = new Map<BucketName, QuotaState>();
  let isCounted = false;
  const show = (buckets: readonly BucketName[], states: readonly QuotaState[], isRefused = false) => {
    states.forEach((state, index) => {
      const bucket = buckets[index];
      if (bucket && (isPublished(bucket) || (isRefused && state.remaining === 0))) shown.set(bucket, state);
    });
  };
  const look = async (...buckets: readonly BucketName[]) => {
    show(buckets, (await limiter.hit(client, buckets, 0)).states);
  };
  return {
    async take(...wanted) {
      isCounted = true;
      const buckets: readonly BucketName[] = wanted.includes('forms') ? [...wanted, 'forms-service'] : wanted;
      const { ok, states, giveBack } = await limiter.hit(client, buckets, 1);
      show(buckets, states, !ok);
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
    async countFree(hasFailed) {
      if (hasFailed || !isCounted) await failures?.hit(client, ['ask'], 1);
    },
    async metered(work) {
      const seconds = meter?.waitSeconds(client) ?? 0;
      if (seconds > 0) throw overProcessorTime(seconds, limitsUrl);
      const begun = performance.now();
      const msSoFar = () => Math.min(MOST_MS, performance.now() - begun);
      return work().finally(() => meter?.charge(client, msSoFar() + AROUND_MS));
    },
    async statesOr(bucket) {
      return shown.size > 0 ? [...shown.values()] : (await limiter.hit(client, [bucket], 0)).states;
    },
  };
}

/** The refusal of a client that asked too much where no quota counts. */
const overProcessorTime = (seconds: number, limitsUrl: string) =>
  new ServiceError('rate_limited', {
    message: 'This client has used its processor time.',
    logged: { policy: 'processor-time' },
    hint: `Wait ${seconds} s, then ask less often. All limits: ${limitsUrl}`,
    retryAfterSeconds: seconds,
  });
