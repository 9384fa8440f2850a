import type { BucketName, PolicyName } from './policies.ts';

/** What is left of one policy for one client, as the rate-limit headers show it. */
export interface QuotaState {
  readonly policy: PolicyName;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until a slot frees up; 0 while nothing is used. */
  readonly resetSeconds: number;
}

export type GiveBack = () => Promise<void>;

/** The port to the rate limiter for one request of one client. */
export interface Admission {
  /**
   * Takes one slot in each bucket, or in none of them.
   * @returns what gives the slots back
   * @throws ServiceError `rate_limited` with the seconds to wait
   */
  take(...buckets: readonly BucketName[]): Promise<GiveBack>;
  /** Lets the response show these buckets too, without taking a slot. */
  look(...buckets: readonly BucketName[]): Promise<void>;
}
