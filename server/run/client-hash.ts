import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
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
export async function openClientHash(database: Database): Promise<(client: string) => string> {
  let hash = createClientHash(randomBytes(32));
  let isLasting = false;
  const read = async () => {
    const secret = await installationSecret(database, 'client-key').catch(() => undefined);
    if (secret === undefined) return;
    hash = createClientHash(secret);
    isLasting = true;
  };
  const readAgain = atMostEvery(RETRY_MS, () => performance.now(), read);
  await read();
  return client => {
    if (!isLasting) readAgain();
    return hash(client);
  };
}
