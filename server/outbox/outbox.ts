import { randomUUID } from 'node:crypto';
import type { Profile } from '../../brand/profile/schema.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { DeliverOutcome, Mode, Submission } from '../../tools/deliver.ts';
import { POLICIES, type Policies, type QuotaState } from '../../tools/policies.ts';
import { DAY_MS, HOUR_MS } from '../config/timing.ts';
import { createDatabaseState, runRound } from './background.ts';
import { type Clock, inTime, systemClock } from './clock.ts';
import { purge } from './erasure.ts';
import { hourlyStates, type Submitter } from './hourly-limits.ts';
import { bind } from './installation.ts';
import { createIntake } from './intake.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { createBreaker, SCHEDULE, type Schedule } from './schedule.ts';
import { MAILS, type OutboxParts } from './senders.ts';
import type { Database } from './sql.ts';

// server/outbox keeps submissions and delivers them. A validated submission comes in; it is counted and
// committed in one transaction with what it owes: the team's mail, a confirmation, a webhook's event. The
// request sends the first mail; all else goes in rounds. What one process leaves undelivered, any other
// process on the same database delivers, by lease.

export interface OutboxOptions extends Pick<OutboxParts, 'mailer' | 'mail' | 'log'> {
  readonly database: Database;
  readonly mode: Mode;
  readonly policies?: Policies;
  /** Where each submission goes beside the mail. */
  readonly webhook?: OutboxParts['webhook'];
  readonly clock?: Clock;
  readonly schedule?: Partial<Schedule>;
  /** Days that a submission is kept after its last mail. */
  readonly retentionDays?: number;
}

const CLOSE_WITHIN_MS = 12_000;

/** How often what is too old is purged. */
const PURGE_EVERY_MS = HOUR_MS;

/**
 * Takes submissions in, and delivers what any process has left undelivered.
 *
 * @example
 * const outbox = new Outbox({ database, mode: 'production', mailer, mail, log });
 * const { outcome } = await outbox.deliver(submission);
 */
export class Outbox {
  readonly database: Database;
  readonly #policies: Policies;
  readonly #retentionDays: number;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #mailRounds: Rounds;
  readonly #webhookRounds: Rounds;
  readonly #parts: OutboxParts;
  readonly #deliver: (submission: Submission) => Promise<DeliverOutcome>;
  #boundId: string | undefined;
  #cancelPurge = () => {};

  constructor(options: OutboxOptions) {
    const { database, mode, mailer, mail, webhook, log, policies = POLICIES } = options;
    const { clock = systemClock, retentionDays = 30 } = options;
    const schedule = { ...SCHEDULE, ...options.schedule };
    const breaker = createBreaker(schedule.probeEveryMs, clock.monotonic);
    this.database = database;
    this.#policies = policies;
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
      lookIn: (part, ms) => (part === 'webhook' ? this.#webhookRounds : this.#mailRounds).beginIn(ms),
      closing: this.#closing.signal,
    };
    const databaseState = createDatabaseState(log);
    const parts = { ...this.#parts, databaseState, open: () => this.open() };
    this.#deliver = createIntake(parts);
    this.#mailRounds.start(runRound(parts, { owed: MAILS, waitMs: breaker.waitMs }));
    if (webhook) this.#webhookRounds.start(runRound(parts, { owed: ['webhook'], waitMs: () => 0 }));
    void this.#purge();
  }

  /** Opens the store for a profile. @throws DatabaseRefused where it belongs to another */
  async open(profile: Profile | undefined = this.#parts.mail.profile()): Promise<void> {
    if (profile === undefined || profile.id === this.#boundId) return;
    await bind(this.database, profile.id);
    this.#boundId = profile.id;
  }

  /** Keeps a submission and mails it. It never rejects. */
  deliver(submission: Submission): Promise<DeliverOutcome> {
    const work = this.#deliver(submission);
    this.#inFlight.add(work);
    return work.finally(() => this.#inFlight.delete(work));
  }

  /** What is left of the hourly limits of a submitter. @throws DatabaseFault */
  hourlyStates(submitter: Submitter): Promise<readonly QuotaState[]> {
    return hourlyStates(this.database.query, submitter, this.#policies, this.#parts.clock.now());
  }

  /** Sends what is due, for at most so long: before a session ends that nobody may begin again. */
  async sendDue(withinMs: number): Promise<void> {
    const all = Promise.all([this.#mailRounds.finish(), this.#webhookRounds.finish()]);
    await inTime(this.#parts.clock, withinMs, all);
  }

  /** Lets sends under way end, at most `withinMs`; then closes the database. */
  async close(withinMs = CLOSE_WITHIN_MS): Promise<void> {
    this.#closing.abort();
    this.#cancelPurge();
    const rounds = [this.#mailRounds.stop(), this.#webhookRounds.stop()];
    const ending = Promise.allSettled([...rounds, ...this.#inFlight]);
    await inTime(this.#parts.clock, withinMs, ending);
    await this.database.close();
  }

  /** Deletes what is too old. */
  async #purge(): Promise<void> {
    const { clock, log } = this.#parts;
    this.#cancelPurge = clock.setTimer(() => void this.#purge(), PURGE_EVERY_MS);
    try {
      const count = await purge(this.database, clock.now() - this.#retentionDays * DAY_MS);
      if (count > 0) log('info', 'old submissions purged', { count });
    } catch (cause) {
      log('error', 'purge failed', { cause: codeOf(cause), alarm: true });
    }
  }
}
