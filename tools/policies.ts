/** How many are accepted in a time, and who shares the count. */
export interface Policy {
  readonly quota: number;
  readonly windowSeconds: number;
  /** `client`: each client has its own count; `service`: all clients share one. */
  readonly scope: 'client' | 'service';
}

/** The limits of the contract by policy name. `LIMIT_…` variables replace quota and window (server/config.ts). */
export const POLICIES = {
  default: { quota: 60, windowSeconds: 60, scope: 'client' },
  submissions: { quota: 10, windowSeconds: 3600, scope: 'client' },
  actions: { quota: 5, windowSeconds: 3600, scope: 'client' },
  'actions-service': { quota: 20, windowSeconds: 3600, scope: 'service' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
export type Policies = Readonly<Record<PolicyName, Policy>>;

/** What is counted together under a policy. Policies shared by two rows still count apart. */
export const BUCKETS = {
  ask: { policy: 'default', covers: '/ask (GET and POST together)', unit: 'requests' },
  status: { policy: 'default', covers: '/api/v1/status', unit: 'requests' },
  mcp: { policy: 'default', covers: '/mcp', unit: 'requests' },
} as const satisfies Record<string, Bucket>;

interface Bucket {
  readonly policy: PolicyName;
  readonly covers: string;
  readonly unit: string;
}

export type BucketName = keyof typeof BUCKETS;

/** A limit in words, e.g. `60 requests per minute per client`. */
export function limitText(bucket: BucketName, policies: Policies): string {
  const { policy, unit } = BUCKETS[bucket];
  const { quota, windowSeconds, scope } = policies[policy];
  return `${quota} ${unit} per ${windowText(windowSeconds)} ${scope === 'client' ? 'per client' : 'service-wide'}`;
}

function windowText(seconds: number): string {
  const unit = UNITS.find(([, size]) => seconds % size === 0);
  if (!unit) return `${seconds} seconds`;
  const [name, size] = unit;
  return seconds === size ? name : `${seconds / size} ${name}s`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
