import { type Admission, type BucketName, type QuotaState, rateLimited } from '../../tools/policies.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Admission of one request, which remembers the states that its response has to show. */
export interface RequestAdmission extends Admission {
  /** States of all buckets taken so far, else of `bucket` without taking a slot there. */
  statesOr(bucket: BucketName): Promise<readonly QuotaState[]>;
}

interface AdmissionParts {
  readonly limiter: RateLimiter;
  readonly client: string;
  /** The network of an IPv6 client, in which one person can be many clients. */
  readonly network?: string | undefined;
  /** A page that says what the limits are and has none, for the hint of a refusal. */
  readonly limitsUrl: string;
}

export function createAdmission({ limiter, client, network, limitsUrl }: AdmissionParts): RequestAdmission {
  const shown = new Map<BucketName, QuotaState>();
  const hit = async (of: string, buckets: readonly BucketName[], slots: 0 | 1) => {
    const { ok, states, giveBack } = await limiter.hit(of, buckets, slots);
    // The network's bound is shown where it refuses.
    for (const [index, state] of states.entries()) {
      const bucket = buckets[index];
      if (bucket && (!ok || of === client)) shown.set(bucket, state);
    }
    return { giveBack, refusal: ok ? undefined : rateLimited(states, limitsUrl) };
  };
  const look = async (...buckets: readonly BucketName[]) => void (await hit(client, buckets, 0));
  return {
    async take(...buckets) {
      const own = await hit(client, buckets, 1);
      if (own.refusal) throw own.refusal;
      const ofNetwork =
        network !== undefined && buckets.includes('forms')
          ? await hit(network, ['forms-network'], 1)
          : undefined;
      const giveBack = async () => {
        await Promise.all([own.giveBack(), ofNetwork?.giveBack()]);
        await look(...buckets);
      };
      if (!ofNetwork?.refusal) return giveBack;
      await giveBack();
      throw ofNetwork.refusal;
    },
    look,
    async statesOr(bucket) {
      if (shown.size === 0) await look(bucket);
      return [...shown.values()];
    },
  };
}
