import type { HeaderPairs } from '../../rest/event.ts';
import type { Client } from '../../tools/deliver.ts';
import { type Admission, type QuotaState, type RouteBucket, rateLimited } from '../../tools/policies.ts';
import { once } from '../config/timing.ts';
import type { MinuteLimiter } from './minute-limiter.ts';

/** The limits of one request, with the headers that its response shows. */
interface RequestAdmission extends Admission {
  /** The headers of all limits that the request met. If none, those of `bucket`, without counting. */
  headers(bucket: RouteBucket): Promise<HeaderPairs>;
}

/** Admits one request of a client. */
export type AdmissionFor = (client: Client) => RequestAdmission;

interface AdmissionParts {
  readonly limiter: MinuteLimiter;
  /** Reads the hourly limits of a channel without counting. It never rejects. */
  readonly readHourly: (client: Client, channel: 'rest' | 'mcp') => Promise<readonly QuotaState[]>;
  /** A page that explains the limits and has none itself. Refusals link to it. */
  readonly limitsUrl: string;
}

/**
 * Counts requests, and collects the limits that each response shows.
 * @example
 * const admissionFor = createAdmissions({ limiter, readHourly, limitsUrl });
 * const admission = admissionFor({ clientHash });
 * admission.take('ask'); // throws ServiceError `rate_limited` for the 61st request of a minute
 * const headers = await admission.headers('ask');
 */
export function createAdmissions({ limiter, readHourly, limitsUrl }: AdmissionParts): AdmissionFor {
  return client => {
    const recorded: QuotaState[] = [];
    let showsActions = false;

    const readOnce = once(() => readHourly(client, 'mcp'));
    const readActions = async () => (showsActions ? readOnce() : []);
    const statesOf = async (bucket: RouteBucket) => {
      if (recorded.length > 0) return [...recorded, ...(await readActions())];
      if (bucket === 'forms') return readHourly(client, 'rest');
      return [limiter.look(client.clientHash, bucket)];
    };

    return {
      async take(bucket) {
        const { ok, state } = limiter.take(client.clientHash, bucket);
        recorded.push(state);
        if (!ok) throw rateLimited([state, ...(await readActions())], limitsUrl);
      },
      showActions() {
        showsActions = true;
      },
      recordSubmission({ ok, states }) {
        showsActions = false;
        recorded.push(...states);
        if (!ok) throw rateLimited(states, limitsUrl);
      },
      async headers(bucket) {
        return rateLimitHeaders(await statesOf(bucket));
      },
    };
  };
}

/**
 * The five rate-limit headers of a response: the structured fields of draft-ietf-httpapi-ratelimit-headers-08
 * to -11, and the older trio, which cannot hold a list and so reports the binding policy.
 */
function rateLimitHeaders(states: readonly QuotaState[]): HeaderPairs {
  // The policy that a client meets first: least remaining, else the longest wait.
  const ordered = states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds);
  const binding = ordered[0]!;
  const policies = ordered.map(
    ({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`,
  );
  const limits = ordered.map(
    ({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`,
  );
  return [
    ['ratelimit-policy', policies.join(', ')],
    ['ratelimit', limits.join(', ')],
    ['ratelimit-limit', String(binding.quota)],
    ['ratelimit-remaining', String(binding.remaining)],
    ['ratelimit-reset', String(binding.resetSeconds)],
  ];
}
