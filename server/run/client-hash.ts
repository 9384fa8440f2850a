import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery } from '../config/timing.ts';
import { createClientHash } from '../http/client-key.ts';
import { installationSecret } from '../outbox/installation.ts';
import type { Database } from '../outbox/sql.ts';

/** Wait before a database that failed is asked again. */
const RETRY_MS = 1000;

/**
 * Makes the hash of clients. Its secret is in the database, so limits survive a restart. While the database
 * does not answer, a random secret is used, and later clients make it ask again.
 */
export async function openClientHash(database: Database, log: Log): Promise<(client: string) => string> {
  let hash = createClientHash(randomBytes(32));
  let isLasting = false;
  const read = async () => {
    hash = createClientHash(await installationSecret(database, 'client-key'));
    isLasting = true;
  };
  const readAgain = atMostEvery(
    RETRY_MS,
    () => performance.now(),
    async () => {
      await read().catch(() => {});
      if (isLasting) log('info', 'clients', { message: 'have their lasting names again' });
    },
  );
  await read().catch((error: unknown) => {
    const effect = 'clients have other names than before until the database answers';
    log('warn', 'clients', { fault: messageOf(error), effect });
  });
  return client => {
    if (!isLasting) readAgain();
    return hash(client);
  };
}
