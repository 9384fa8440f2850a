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
  const show = (buckets: readonly BucketName[], states: readonly QuotaState[]) => {
    buckets.forEach((bucket, index) => {
      const state = states[index];
      if (state) shown.set(bucket, state);
    });
  };
  const look = async (...buckets: readonly BucketName[]) => {
    show(buckets, (await limiter.hit(client, buckets, 0)).states);
  };
  const take = async (of: string, buckets: readonly BucketName[]) => {
    const { ok, states, giveBack } = await limiter.hit(of, buckets, 1);
    if (!ok || of === client) show(buckets, states);
    return { giveBack, refusal: ok ? undefined : rateLimited(states, limitsUrl) };
  };
  return {
    async take(...buckets) {
      const own = await take(client, buckets);
      if (own.refusal) throw own.refusal;
      const ofNetwork =
        network !== undefined && buckets.includes('forms') ? await take(network, ['forms-network']) : undefined;
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
      return shown.size > 0 ? [...shown.values()] : (await limiter.hit(client, [bucket], 0)).states;
    },
  };
}
