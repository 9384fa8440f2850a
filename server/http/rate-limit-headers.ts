import type { HeaderPairs } from '../../rest/http/reply.ts';
import type { QuotaState } from '../../tools/policies.ts';

/**
 * The five rate-limit headers of a response: the structured fields of draft-ietf-httpapi-ratelimit-headers-08 to -11,
 * and the older trio, which cannot hold a list and so reports the binding policy.
 */
export function rateLimitHeaders(states: readonly QuotaState[]): HeaderPairs {
  const [first] = states;
  if (!first) return [];
  const binding = states.reduce(tighter, first);
  return [
    [
      'ratelimit-policy',
      states.map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`).join(', '),
    ],
    [
      'ratelimit',
      states.map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`).join(', '),
    ],
    ['ratelimit-limit', String(binding.quota)],
    ['ratelimit-remaining', String(binding.remaining)],
    ['ratelimit-reset', String(binding.resetSeconds)],
  ];
}

/** The policy a client meets first: least remaining, else the longest wait. */
function tighter(a: QuotaState, b: QuotaState): QuotaState {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return b.resetSeconds > a.resetSeconds ? b : a;
}
