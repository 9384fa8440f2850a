import {
  BUCKETS,
  type BucketName,
  type Policies,
  type Policy,
  type QuotaState,
} from '../../tools/policies.ts';

/** The outcome of one check over several buckets: every state, and whether all of them had a free slot. */
export interface Verdict {
  readonly ok: boolean;
  /** In the order of the buckets asked for, after the slots were taken. */
  readonly states: readonly QuotaState[];
  /** Takes back what this hit took. */
  readonly giveBack: () => Promise<void>;
}

/** Counts accepted requests; adapters differ in where they keep the counts. */
export interface RateLimiter {
  /** Takes `slots` (0 looks only, 1 takes) in every bucket or in none. */
  hit(client: string, buckets: readonly BucketName[], slots: 0 | 1): Promise<Verdict>;
}

/** What holds for a bucket, and the key under which this client's use of it is counted: service-wide slots are one client's. */
export interface Counted {
  readonly name: QuotaState['policy'];
  readonly policy: Policy;
  readonly windowMs: number;
  readonly key: string;
}

export function countedOf(bucket: BucketName, client: string, policies: Policies): Counted {
  const name = BUCKETS[bucket].policy;
  const policy = policies[name];
  return {
    name,
    policy,
    windowMs: policy.windowSeconds * 1000,
    key: policy.scope === 'service' ? 'service' : client,
  };
}

/** @param waitMs until the oldest slot is free */
export function stateOf(
  { name, policy: { quota, windowSeconds } }: Counted,
  used: number,
  waitMs: number,
): QuotaState {
  const resetSeconds = used === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
  return { policy: name, quota, windowSeconds, remaining: Math.max(0, quota - used), resetSeconds };
}
