import type { Client } from '../../tools/deliver.ts';
import { type Admission, type QuotaState, type RouteBucket, rateLimited } from '../../tools/policies.ts';
import { once } from '../config/timing.ts';
import type { MinuteLimiter } from './minute-limiter.ts';

/** The limits of one request, with the states that its response shows. */
interface RequestAdmission extends Admission {
  /** The states of all limits that the request met. If none, the state of `bucket`, without counting. */
  states(bucket: RouteBucket): Promise<readonly QuotaState[]>;
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
 * const states = await admission.states('ask');
 */
export function createAdmissions({ limiter, readHourly, limitsUrl }: AdmissionParts): AdmissionFor {
  return client => {
    const recorded: QuotaState[] = [];
    let showsActions = false;

    const readOnce = once(() => readHourly(client, 'mcp'));
    const readActions = async () => (showsActions ? readOnce() : []);

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
      async states(bucket) {
        if (recorded.length > 0) return [...recorded, ...(await readActions())];
        if (bucket === 'forms') return readHourly(client, 'rest');
        return [limiter.look(client.clientHash, bucket)];
      },
    };
  };
}
