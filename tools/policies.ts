/** How many are accepted in a time, and who shares the count. */
export interface Policy {
  readonly quota: number;
  readonly windowSeconds: number;
  /** `client`: each client has its own count; `service`: all clients share one. */
  readonly scope: 'client' | 'service';
}

/** The limits of the contract by policy name. `LIMIT_…` variables replace quota and window (server/config/config.ts). */
export const POLICIES = {
  default: { quota: 60, windowSeconds: 60, scope: 'client' },
  submissions: { quota: 10, windowSeconds: 3600, scope: 'client' },
  actions: { quota: 5, windowSeconds: 3600, scope: 'client' },
  'actions-service': { quota: 20, windowSeconds: 3600, scope: 'service' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
export type Policies = Readonly<Record<PolicyName, Policy>>;

/** What is counted together under a policy. Rows that share a policy still count apart. */
export interface Bucket {
  readonly policy: PolicyName;
  readonly covers: string;
  readonly unit: string;
}

export const BUCKETS = {
  ask: { policy: 'default', covers: '/ask (GET and POST together)', unit: 'requests' },
  status: { policy: 'default', covers: '/api/v1/status', unit: 'requests' },
  mcp: { policy: 'default', covers: '/mcp requests', unit: 'requests' },
  a2a: { policy: 'default', covers: '/a2a requests', unit: 'requests' },
  forms: { policy: 'submissions', covers: 'REST forms and their aliases together', unit: 'submissions' },
  actions: { policy: 'actions', covers: 'MCP submitted actions', unit: 'submissions' },
  'actions-service': {
    policy: 'actions-service',
    covers: 'MCP submitted actions, all clients together',
    unit: 'submissions',
  },
} as const satisfies Record<string, Bucket>;

export type BucketName = keyof typeof BUCKETS;

/** One row of the table of limits, as the descriptor and the documents show it. */
export interface LimitRow {
  readonly scope: string;
  readonly policy: PolicyName;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly per: Policy['scope'];
  /** The limit in words. */
  readonly text: string;
}

/** @param off names of buckets whose path is not served */
export function limitRows(policies: Policies, off: ReadonlySet<string> = new Set()): LimitRow[] {
  const served = Object.entries(BUCKETS).filter(([name]) => !off.has(name));
  return served.map(([, bucket]) => {
    const { quota, windowSeconds, scope } = policies[bucket.policy];
    const text = limitText(bucket, policies);
    return { scope: bucket.covers, policy: bucket.policy, quota, windowSeconds, per: scope, text };
  });
}

/** A limit in words, e.g. `60 requests per minute per client`. */
export function limitText({ policy, unit }: Bucket, policies: Policies): string {
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
