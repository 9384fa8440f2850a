import type { Policies, Policy } from '../../tools/policies.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import { countedOf, type RateLimiter, stateOf } from './rate-limiter.ts';

interface FallbackSettings {
  readonly policies: Policies;
  /** Servers that share the limits. */
  readonly instances: number;
  /** Refuse everything instead of counting alone. */
  readonly strict: boolean;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
}

/**
 * Decides for one of several instances while it cannot reach the others: each takes its share of every quota, or nothing at all.
 * It always accepts the status, so that monitors see each instance alive.
 */
export function createFallbackLimiter({ policies, instances, strict, monotonicMs }: FallbackSettings): RateLimiter {
  const limiter = strict
    ? refuseAll(policies)
    : createMemoryLimiter({ policies: sharesOf(policies, instances), monotonicMs });
  const statusLimiter = createMemoryLimiter({ policies, monotonicMs });
  return {
    hit(client, buckets, slots) {
      const isStatus = buckets.every(bucket => bucket === 'status');
      return (isStatus ? statusLimiter : limiter).hit(client, buckets, slots);
    },
  };
}

/** Rounded down, so that all instances together keep the quota; but an instance that accepts nothing would be strict. */
function sharesOf(policies: Policies, instances: number): Policies {
  const share = (policy: Policy) => ({ ...policy, quota: Math.max(1, Math.floor(policy.quota / instances)) });
  return {
    default: share(policies.default),
    submissions: share(policies.submissions),
    actions: share(policies.actions),
    'actions-service': share(policies['actions-service']),
  };
}

const RETRY_SECONDS = 30;

function refuseAll(policies: Policies): RateLimiter {
  return {
    async hit(client, buckets) {
      const states = buckets.map(bucket => {
        const counted = countedOf(bucket, client, policies);
        return stateOf(counted, counted.policy.quota, RETRY_SECONDS * 1000);
      });
      return { ok: false, states, giveBack: async () => {} };
    },
  };
}
