import { randomUUID } from 'node:crypto';
import type { Profile } from '../../brand/profile/schema.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { DeliverOutcome, Mode, Submission } from '../../tools/deliver.ts';
import { POLICIES, type Policies, type QuotaState } from '../../tools/policies.ts';
import { type Clock, DAY_MS, HOUR_MS, inTime, systemClock } from '../config/timing.ts';
import { createDatabaseState, createRounds, type Rounds, runRound } from './background.ts';
import { purge } from './erasure.ts';
import { hourlyStates, type Submitter, unusedStates } from './hourly-limits.ts';
import { bind } from './installation.ts';
import { takeIn } from './intake.ts';
import { createBreaker, SCHEDULE, type Schedule } from './schedule.ts';
import { MAILS, type OutboxParts } from './senders.ts';
import type { Database } from './sql.ts';

// server/outbox stores submissions and delivers them. In: a validated submission. One transaction counts it
// and commits it with its deliveries: the team's mail, a confirmation, a webhook's event. The request sends
// the first mail; rounds in the background send the rest. Any process on the same database sends what another
// one left, under a lease. Out: mails and events.

export interface OutboxOptions extends Pick<OutboxParts, 'mailer' | 'mail' | 'log'> {
  readonly database: Database;
  readonly mode: Mode;
  readonly policies?: Policies;
  /** The webhook, if there is one. */
  readonly webhook?: OutboxParts['webhook'];
  readonly clock?: Clock;
  readonly schedule?: Partial<Schedule>;
  /** Days for which a submission is kept after its last delivery. */
  readonly retentionDays?: number;
}

const CLOSE_WITHIN_MS = 12_000;

/** How long a response waits for the hourly limits in its headers. */
const READ_HOURLY_MS = 1000;

/** How often old submissions are purged. */
const PURGE_EVERY_MS = HOUR_MS;

/**
 * Accepts submissions, and delivers them and those of other processes.
 *
 * @example
 * const outbox = new Outbox({ database, mode: 'production', mailer, mail, log });
 * const { outcome } = await outbox.deliver(submission);
 */
export class Outbox {
  readonly database: Database;
  readonly #retentionDays: number;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #mailRounds: Rounds;
  readonly #webhookRounds: Rounds;
  readonly #parts: OutboxParts;
  #boundId: string | undefined;
  #cancelPurge = () => {};
  #purging: Promise<void>;

  constructor(options: OutboxOptions) {
    const { database, mode, mailer, mail, webhook, log, policies = POLICIES } = options;
    const { clock = systemClock, retentionDays = 30 } = options;
    const schedule = { ...SCHEDULE, ...options.schedule };
    const breaker = createBreaker(schedule.probeEveryMs, clock.monotonic);
    this.database = database;
    this.#retentionDays = retentionDays;
    this.#mailRounds = createRounds(clock);
    this.#webhookRounds = createRounds(clock);
    this.#parts = {
      mailer,
      mail,
      webhook,
      store: {
        database,
        mode,
        policies,
        leaseMs: schedule.leaseMs,
        leaseholder: randomUUID(),
        hasWebhook: webhook !== undefined,
      },
      breaker,
      schedule,
      clock,
      log,
      databaseState: createDatabaseState(log),
      open: () => this.open(),
      wake: (part, ms) => (part === 'webhook' ? this.#webhookRounds : this.#mailRounds).beginIn(ms),
      closing: this.#closing.signal,
    };
    const mails = { owed: MAILS, waitMs: breaker.waitMs, probes: true };
    this.#mailRounds.start(runRound(this.#parts, mails));
    const events = { owed: ['webhook'], waitMs: () => 0, probes: false } as const;
    if (webhook) this.#webhookRounds.start(runRound(this.#parts, events));
    this.#purging = this.#purge();
  }

  /** Opens the store for a profile. @throws DatabaseRefused if it belongs to another one */
  async open(profile: Profile | undefined = this.#parts.mail.profile()): Promise<void> {
    if (profile === undefined || profile.id === this.#boundId) return;
    await bind(this.database, profile.id);
    this.#boundId = profile.id;
  }

  /** Keeps a submission and mails it. It never rejects. */
  deliver(submission: Submission): Promise<DeliverOutcome> {
    const work = takeIn(this.#parts, submission);
    this.#inFlight.add(work);
    return work.finally(() => this.#inFlight.delete(work));
  }

  /**
   * The hourly limits of a submitter. Never rejects: while the database fails, nothing is accepted and the
   * whole quota is shown.
   */
  async hourlyStates(submitter: Submitter): Promise<readonly QuotaState[]> {
    const { clock, store } = this.#parts;
    const reading = hourlyStates(this.database.query, submitter, store.policies, clock.now());
    const states = await inTime(clock, READ_HOURLY_MS, reading).catch(() => undefined);
    return states ?? unusedStates(submitter, store.policies);
  }

  /** Sends due deliveries before a session ends, since no later process may. @param withinMs bound */
  async sendDue(withinMs: number): Promise<void> {
    const all = Promise.all([this.#mailRounds.finish(), this.#webhookRounds.finish()]);
    await inTime(this.#parts.clock, withinMs, all);
  }

  /** Waits for open sends, at most `withinMs`, then closes the database. */
  async close(withinMs = CLOSE_WITHIN_MS): Promise<void> {
    this.#closing.abort();
    this.#cancelPurge();
    const rounds = [this.#mailRounds.stop(), this.#webhookRounds.stop()];
    const ending = Promise.allSettled([...rounds, ...this.#inFlight, this.#purging]);
    await inTime(this.#parts.clock, withinMs, ending);
    await this.database.close();
  }

  /** Deletes what is too old. */
  async #purge(): Promise<void> {
    const { clock, log, store } = this.#parts;
    this.#cancelPurge = clock.setTimer(() => (this.#purging = this.#purge()), PURGE_EVERY_MS);
    try {
      await this.open();
      const count = await purge(store, clock.now() - this.#retentionDays * DAY_MS);
      if (count > 0) log('info', 'old submissions purged', { count });
    } catch (cause) {
      log('error', 'purge failed', { cause: codeOf(cause), alarm: true });
    }
  }
}
