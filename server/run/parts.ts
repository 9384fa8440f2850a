import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Profile } from '../../brand/profile/schema.ts';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { createClientHash } from '../http/client-key.ts';
import type { Mailer } from '../mail/mailer.ts';
import { systemClock } from '../outbox/clock.ts';
import { openedWhenAsked } from '../outbox/database.ts';
import { installationSecret } from '../outbox/installation.ts';
import { mailRouteOf } from '../outbox/mail-route.ts';
import { openSubmissions } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Database } from '../outbox/sql.ts';
import { type AdminServer, observe } from './admin.ts';
import type { Clock } from './service.ts';

/** How long a stopping server takes requests, and the `performance.now()` at which it is cut off. */
interface Stopping {
  readonly drainMs: number;
  readonly deadlineMs: number;
}

export type Closer = (stopping: Stopping) => unknown;

/** Parts that a server opens before it has a profile, and keeps through every reload. */
export interface Parts {
  /** Health and metrics read its lines too. */
  readonly log: Log;
  /** Absent without an admin port. */
  readonly admin: AdminServer | undefined;
  readonly outbox: Outbox;
}

interface PartsOptions {
  readonly log: Log;
  readonly mailer: Mailer | undefined;
  readonly clock: Clock;
  /** The profile in use, which changes with a reload. */
  readonly profile: () => Profile | undefined;
  /** Receives the function that closes each part, in the order of opening. */
  readonly closers: Closer[];
}

/**
 * Opens the database, the admin port and the submissions.
 * @throws Error if the admin port cannot be listened on
 */
export async function openParts(config: Config, options: PartsOptions): Promise<Parts> {
  const { clock, profile, closers } = options;
  const { mode, mailer } = mailRouteOf(config, 'server');
  const database = openedWhenAsked(config);
  closers.push(() => database.close());
  let admin: AdminServer | undefined;
  if (config.admin.port !== undefined) {
    admin = await observe(config, options.log, { database, mode, profile });
    closers.push(admin.close);
  }
  const log = admin?.log ?? options.log;
  const outbox = openSubmissions(config, {
    database,
    mode,
    mailer: options.mailer ?? mailer,
    // Timers of the outbox are real, also with the clock of a test.
    clock: { ...systemClock, now: () => clock.now().getTime() },
    profile,
    log,
  });
  closers.push(({ deadlineMs }) => outbox.close(deadlineMs - performance.now()));
  return { log, admin, outbox };
}

/** Wait before a database that failed is asked again. */
const RETRY_MS = 1000;

/**
 * Makes the hash of clients. Its secret is in the database, so limits survive a restart. While the database
 * does not answer, a random secret is used.
 */
export async function openClientHash(
  database: Database,
  { log, closers }: Pick<PartsOptions, 'log' | 'closers'>,
) {
  let hash = createClientHash(randomBytes(32));
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  closers.push(() => {
    isClosed = true;
    clearTimeout(timer);
  });
  const read = async () => {
    hash = createClientHash(await installationSecret(database, 'client-key'));
  };
  const retry = async () => {
    try {
      await read();
      log('info', 'clients', { message: 'have their lasting names again' });
    } catch {
      if (!isClosed) timer = setTimeout(retry, RETRY_MS).unref();
    }
  };
  try {
    await read();
  } catch (error) {
    const effect = 'clients have other names than before until the database answers';
    log('warn', 'clients', { fault: messageOf(error), effect });
    timer = setTimeout(retry, RETRY_MS).unref();
  }
  return (client: string) => hash(client);
}
