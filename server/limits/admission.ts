import type { Origin } from '../../tools/deliver.ts';
import {
  type Admission,
  type MinuteBucket,
  type QuotaState,
  type RouteBucket,
  rateLimited,
  type SubmissionLimits,
} from '../../tools/policies.ts';
import type { MinuteLimiter } from './minute-limiter.ts';

/** The admission of one request, which remembers the states that its response has to show. */
export interface RequestAdmission extends Admission {
  /** All states that the request has met, else that of `bucket`, without taking anything. */
  states(bucket: RouteBucket): Promise<readonly QuotaState[]>;
}

/** Whose request it is. */
export type LimitedClient = Pick<Origin, 'clientHash' | 'networkHash' | 'isIpv6'>;

/** Reads what is left of the hourly limits of a surface, without taking any. It never rejects. */
export type ReadHourly = (
  client: LimitedClient,
  surface: 'forms' | 'actions',
) => Promise<readonly QuotaState[]>;

interface AdmissionParts {
  readonly limiter: MinuteLimiter;
  readonly readHourly: ReadHourly;
  readonly client: LimitedClient;
  /** A page that says what the limits are and has none, for the hint of a refusal. */
  readonly limitsUrl: string;
}

/**
 * Counts one request of one client, and tells its response what to show.
 * @example
 * const admission = createAdmission({ limiter, readHourly, client, limitsUrl });
 * admission.take('ask'); // throws ServiceError `rate_limited` for the 61st request of a minute
 * const states = await admission.states('ask');
 */
export function createAdmission({
  limiter,
  readHourly,
  client,
  limitsUrl,
}: AdmissionParts): RequestAdmission {
  const minute = new Map<MinuteBucket, QuotaState>();
  let surface: 'forms' | 'actions' | undefined;
  let settled: SubmissionLimits | undefined;
  return {
    take(bucket) {
      const { ok, state } = limiter.take(client.clientHash, bucket);
      minute.set(bucket, state);
      if (!ok) throw rateLimited([state], limitsUrl);
    },
    show(of) {
      surface = of;
    },
    settle(limits) {
      settled = limits;
      if (!limits.ok) throw rateLimited(limits.states, limitsUrl);
    },
    async states(bucket) {
      if (settled) return [...minute.values(), ...settled.states];
      if (surface) return [...minute.values(), ...(await readHourly(client, surface))];
      if (bucket === 'forms') return readHourly(client, 'forms');
      if (minute.size > 0) return [...minute.values()];
      return [limiter.look(client.clientHash, bucket)];
    },
  };
}
