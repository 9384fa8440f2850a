import { ServiceError } from './errors.ts';
import { countText, windowText } from './words/counts.ts';

/** A limit: the requests of a window, and who shares the count. */
export interface Policy {
  readonly quota: number;
  readonly windowSeconds: number;
  /** What has one count: each client, each IPv6 /48, or the whole service. */
  readonly scope: 'client' | 'network' | 'service';
}

/** The limits of the contract by policy name. LIMITS replaces quota and window (server/config). */
export const POLICIES = {
  default: { quota: 60, windowSeconds: 60, scope: 'client' },
  submissions: { quota: 10, windowSeconds: 3600, scope: 'client' },
  // Providers give anybody an IPv6 /56, which has 256 clients.
  'submissions-network': { quota: 100, windowSeconds: 3600, scope: 'network' },
  actions: { quota: 5, windowSeconds: 3600, scope: 'client' },
  'actions-service': { quota: 20, windowSeconds: 3600, scope: 'service' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
export type Policies = Readonly<Record<PolicyName, Policy>>;

/** Requests that are counted together under a policy. Two buckets of one policy count separately. */
export interface Bucket {
  readonly policy: PolicyName;
  readonly covers: string;
}

export const BUCKETS = {
  ask: { policy: 'default', covers: '/ask (GET and POST together)' },
  status: { policy: 'default', covers: '/api/v1/status' },
  mcp: { policy: 'default', covers: '/mcp requests' },
  a2a: { policy: 'default', covers: '/a2a requests' },
  forms: { policy: 'submissions', covers: 'REST forms and their aliases together' },
  'forms-network': { policy: 'submissions-network', covers: 'REST forms, all clients of an IPv6 network' },
  actions: { policy: 'actions', covers: 'MCP submitted actions' },
  'actions-service': { policy: 'actions-service', covers: 'MCP submitted actions, all clients together' },
} as const satisfies Record<string, Bucket>;

/** The buckets of a policy by their names. */
type BucketsOf<Name extends PolicyName> = {
  [Key in keyof typeof BUCKETS]: (typeof BUCKETS)[Key]['policy'] extends Name ? Key : never;
}[keyof typeof BUCKETS];

/** Requests of a minute that are counted together, in memory. */
export type MinuteBucket = BucketsOf<'default'>;

/** What a route counts: requests of a minute, or submissions of an hour. */
export type RouteBucket = BucketsOf<'default' | 'submissions'>;

/** A limit in words, e.g. `60 requests per minute per client`. */
export function policyText(
  name: PolicyName,
  { quota, windowSeconds }: Pick<Policy, 'quota' | 'windowSeconds'>,
): string {
  const noun = name === 'default' ? 'request' : 'submission';
  return `${countText(quota, noun)} per ${windowText(windowSeconds)} ${SCOPES[POLICIES[name].scope]}`;
}

const SCOPES = { client: 'per client', network: 'per IPv6 /48 network', service: 'service-wide' } as const;

/** The state of a policy for one client, for the rate-limit headers. */
export interface QuotaState {
  readonly policy: PolicyName;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Whole seconds, rounded up, until a slot frees up; 0 while nothing is used. */
  readonly resetSeconds: number;
}

/**
 * The state of a policy.
 * @param used requests in the window
 * @param waitMs until the oldest of them leaves the window
 * @example quotaState(POLICIES, 'default', 1, 42_000); // remaining 59, resetSeconds 42
 */
export function quotaState(policies: Policies, name: PolicyName, used: number, waitMs: number): QuotaState {
  const { quota, windowSeconds } = policies[name];
  const remaining = Math.max(0, quota - used);
  const resetSeconds = used === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
  return { policy: name, quota, windowSeconds, remaining, resetSeconds };
}

/** The decision of the hourly limits on a submission, from the transaction that commits it. */
export interface SubmissionLimits {
  /** Whether every limit had room. A repeat takes none, so it is always ok. */
  readonly ok: boolean;
  /** Each limit after the submission. */
  readonly states: readonly QuotaState[];
}

/** The limits of one request of one client. */
export interface Admission {
  /**
   * Takes one of the requests of a minute.
   * @throws ServiceError `rate_limited` with the seconds to wait, those of a used up hourly limit included
   */
  take(bucket: MinuteBucket): Promise<void>;
  /** Makes the response show the hourly limits of actions, even without a submission. */
  showActions(): void;
  /**
   * Makes the response show the hourly limits after a submission.
   * @throws ServiceError `rate_limited` if one of them refused it
   */
  recordSubmission(limits: SubmissionLimits): void;
}

/**
 * The error of a request over its limits. It names the limit that frees last: an earlier retry would fail
 * again.
 * @param limitsUrl a page without a limit
 * @example
 * throw rateLimited([quotaState(POLICIES, 'default', 60, 12_000)], 'https://acme.example/llms.txt');
 */
export function rateLimited(states: readonly QuotaState[], limitsUrl: string): ServiceError {
  const violated = states.filter(({ remaining }) => remaining === 0);
  const [last] = violated.toSorted((a, b) => b.resetSeconds - a.resetSeconds);
  const seconds = Math.max(1, last?.resetSeconds ?? 0);
  return new ServiceError('rate_limited', {
    ...(last && {
      message: `Rate limit exceeded: ${policyText(last.policy, last)}.`,
      logged: { policy: last.policy, setting: 'LIMITS' },
    }),
    hint: `Wait ${countText(seconds, 'second')}, then try again. All limits: ${limitsUrl}`,
    retryAfterSeconds: seconds,
  });
}
