import type { HeaderPairs } from '../../rest/event.ts';
import type { QuotaState } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { RefusalHeaders } from './listener.ts';
import type { ResponderParts } from './respond.ts';

/** API-Version, and what keeps a browser from treating an answer as anything but data. */
export function commonHeaders(baseUrl: string): HeaderPairs {
  const headers: HeaderPairs = [
    ['api-version', SERVICE.apiVersion],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
  return baseUrl.startsWith('https:') ? [...headers, ['strict-transport-security', 'max-age=31536000']] : headers;
}

/**
 * The five rate-limit headers of a response: the structured fields of draft-ietf-httpapi-ratelimit-headers-08 to -11,
 * and the older trio, which cannot hold a list and so reports the binding policy.
 */
export function rateLimitHeaders(states: readonly QuotaState[]): HeaderPairs {
  // The policy that a client meets first: least remaining, else the longest wait.
  const [binding] = states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds);
  if (!binding) return [];
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

/** The headers that every response carries, and the line in the log, for a socket whose request could not be read. */
export function createRefusalHeaders({ baseUrl, limiter, clientKey, requestId, log }: ResponderParts): RefusalHeaders {
  const common = commonHeaders(baseUrl);
  return async (socket, { status, code }) => {
    const unread = { socket, headers: {} };
    const [id, { hash: client }] = [requestId(unread), clientKey(unread)];
    log('info', 'request', { id, method: 'none', route: 'none', status, ms: 0, client, code });
    const { states } = await limiter.hit(client, ['ask'], 0);
    return [...common, ['x-request-id', id], ...rateLimitHeaders(states)];
  };
}
