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

/** The limits of one request, with the states that its response shows. */
export interface RequestAdmission extends Admission {
  /** The states of all limits that the request met. If none, the state of `bucket`, without counting. */
  states(bucket: RouteBucket): Promise<readonly QuotaState[]>;
}

/** The client of a request. */
export type LimitedClient = Pick<Origin, 'clientHash' | 'networkHash' | 'isIpv6'>;

/** Reads the hourly limits of a surface without counting. It never rejects. */
export type ReadHourly = (
  client: LimitedClient,
  surface: 'forms' | 'actions',
) => Promise<readonly QuotaState[]>;

interface AdmissionParts {
  readonly limiter: MinuteLimiter;
  readonly readHourly: ReadHourly;
  readonly client: LimitedClient;
  /** A page that explains the limits and has none itself. Refusals link to it. */
  readonly limitsUrl: string;
}

/**
 * Counts a request of a client, and collects the limits that its response shows.
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
  let showsActions = false;
  let settled: SubmissionLimits | undefined;
  let hourly: ReturnType<ReadHourly> | undefined;
  const readActions = async () => {
    if (!showsActions) return [];
    hourly ??= readHourly(client, 'actions');
    return hourly;
  };
  return {
    async take(bucket) {
      const { ok, state } = limiter.take(client.clientHash, bucket);
      minute.set(bucket, state);
      if (!ok) throw rateLimited([state, ...(await readActions())], limitsUrl);
    },
    showActions() {
      showsActions = true;
    },
    settle(limits) {
      settled = limits;
      if (!limits.ok) throw rateLimited(limits.states, limitsUrl);
    },
    async states(bucket) {
      if (settled) return [...minute.values(), ...settled.states];
      if (bucket === 'forms') return readHourly(client, 'forms');
      if (minute.size > 0) return [...minute.values(), ...(await readActions())];
      return [limiter.look(client.clientHash, bucket)];
    },
  };
}
