import { codeOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import type { Database } from '../database/sql.ts';
import { busiest } from '../outbox/store/archive.ts';
import type { ServiceWide } from './admission.ts';
import { atMostEvery } from './at-most-every.ts';

interface FilledParts {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  /** Milliseconds that never run backwards. */
  readonly monotonic: () => number;
}

const [HOUR_MS, MINUTE_MS] = [3_600_000, 60_000];

/** Says, once a minute, which clients filled a bucket of all: by the keys that limits tell clients apart by. */
export function createFilledLimits({ database, log, now, monotonic }: FilledParts): (bucket: ServiceWide) => void {
  const told = new Map<ServiceWide, () => void>();
  const say = (bucket: ServiceWide) => {
    const wanted = { sinceMs: now().getTime() - HOUR_MS, overMcp: bucket === 'actions-service' };
    busiest(database, wanted).then(
      filledBy => log('warn', 'service-wide limit', { bucket, filledBy, alarm: true }),
      cause => log('warn', 'service-wide limit', { bucket, cause: codeOf(cause), alarm: true }),
    );
  };
  return bucket => {
    const tell = told.get(bucket) ?? atMostEvery(MINUTE_MS, monotonic, () => say(bucket));
    told.set(bucket, tell);
    tell();
  };
}
