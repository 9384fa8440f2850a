import { performance } from 'node:perf_hooks';
import type { Profile } from '../../brand/profile/schema.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Mailer } from '../mail/mailer.ts';
import { systemClock } from '../outbox/clock.ts';
import { openedWhenAsked } from '../outbox/database.ts';
import { modeOf, openSubmissions, serverMailer } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { type AdminServer, observe } from './admin.ts';
import type { Clock } from './service.ts';

/**
 * How long requests are taken after a stop has begun, and when the rest is cut off. Milliseconds of
 * `performance.now()`.
 */
export interface Stopping {
  readonly drainMs: number;
  readonly deadlineMs: number;
}

export type Closer = (stopping: Stopping) => unknown;

/** What a server opens before it has a profile, and keeps through every reload. */
export interface Parts {
  /** Every line of it is also followed by health and metrics. */
  readonly log: Log;
  /** Counts an answer; absent without an admin port. */
  readonly onAnswer: ((isMatch: boolean) => void) | undefined;
  readonly admin: AdminServer | undefined;
  readonly outbox: Outbox;
}

interface PartsOptions {
  readonly log: Log;
  readonly mailer: Mailer | undefined;
  readonly clock: Clock;
  /** The profile in use, which changes with a reload. */
  readonly profile: () => Profile | undefined;
  /** Takes what closes each part, in the order in which they were opened. */
  readonly closers: Closer[];
}

/**
 * Opens the database, the admin port and the submissions.
 * @throws Error when the admin port cannot be listened on
 */
export async function openParts(config: Config, options: PartsOptions): Promise<Parts> {
  const { mailer = serverMailer(config), clock, profile, closers } = options;
  const mode = modeOf(config);
  const database = openedWhenAsked(config);
  closers.push(() => database.close());
  let { log } = options;
  let onAnswer: Parts['onAnswer'];
  let admin: AdminServer | undefined;
  if (config.admin.port !== undefined) {
    const observers = await observe(config, log, { database, mode, profile });
    ({ log, onAnswer, admin } = observers);
    closers.push(() => observers.admin.close());
  }
  const outbox = openSubmissions(config, {
    database,
    mode,
    mailer,
    // The outbox's timers are real ones, whatever clock says the time.
    clock: { ...systemClock, now: () => clock.now().getTime() },
    profile,
    log,
  });
  closers.push(({ deadlineMs }) => outbox.close(deadlineMs - performance.now()));
  return { log, onAnswer, admin, outbox };
}
