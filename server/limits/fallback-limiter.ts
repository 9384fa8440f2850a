import { BUCKETS, limitOf, type Policies, type Policy } from '../../tools/policies.ts';
import { createMemoryLimiter, type RateLimiter } from './memory-limiter.ts';

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
    async hit(_client, buckets) {
      const states = buckets.map(bucket => {
        const { policy } = BUCKETS[bucket];
        const { quota, windowSeconds } = limitOf(BUCKETS[bucket], policies);
        return { policy, quota, windowSeconds, remaining: 0, resetSeconds: RETRY_SECONDS };
      });
      return { ok: false, states, giveBack: async () => {} };
    },
  };
}
