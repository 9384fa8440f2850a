import type { Log } from '../config/log.ts';
import { codeOf } from '../config/private-files.ts';
import { type Clock, DAY_MS } from './clock.ts';
import type { Ledger } from './ledger.ts';

/** Fields are kept this long after the last mail, then dropped. */
export const RETENTION_DAYS = 30;

/** Purges now and once a day. @returns what ends it */
export function keepRetention(ledger: Ledger, days: number, clock: Clock, log: Log): () => void {
  let cancel = () => {};
  const purge = () => {
    cancel = clock.setTimer(purge, DAY_MS);
    ledger.purge(clock.now() - days * DAY_MS).then(
      ids => ids.length > 0 && log('info', 'old submissions purged', { count: ids.length }),
      cause => log('error', 'purge failed', { cause: codeOf(cause), alarm: true }),
    );
  };
  purge();
  return () => cancel();
}
