import type { Profile } from '../../brand/profile/schema.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { DeliverOutcome, Mode, Submission } from '../../tools/deliver.ts';
import { POLICIES, type Policies, type QuotaState } from '../../tools/policies.ts';
import type { WebhookSender } from '../webhook/webhook.ts';
import { bind } from './archive.ts';
import { type Clock, inTime, systemClock } from './clock.ts';
import { createDatabaseState, planTeam, runRound } from './delivery.ts';
import { purgeAsked, purgeFinished } from './erasure.ts';
import { hourlyStates, type Submitter } from './hourly-limits.ts';
import { createIntake } from './intake.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { createBreaker, SCHEDULE, type Schedule } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import { leaseOne } from './sending.ts';
import type { Database } from './sql.ts';
import { find, openStore } from './store.ts';
import { runWebhookRound } from './webhook-delivery.ts';

// server/outbox keeps submissions and delivers them. A validated submission comes in; it is counted and
// committed in one transaction, then mailed. What one process leaves undelivered, any other process on the
// same database delivers, by lease.

export interface OutboxOptions extends Pick<OutboxParts, 'mailer' | 'mail' | 'log'> {
  readonly database: Database;
  readonly mode: Mode;
  readonly policies?: Policies;
  /** Where each submission goes beside the mail. */
  readonly webhook?: WebhookSender | undefined;
  readonly clock?: Clock;
  readonly schedule?: Partial<Schedule>;
  /** Days that fields are kept after the last mail. */
  readonly retentionDays?: number;
  /** `false` for one command of the operator: no re-delivery, no retention. */
  readonly background?: boolean;
}

export interface RetryResult {
  readonly result: 'delivered' | 'kept' | 'being-sent' | 'finished';
  readonly code?: string;
  /** No other mail would arrive either. */
  readonly isMailDown?: boolean;
}

const CLOSE_WITHIN_MS = 12_000;

/** How often what is too old is purged. */
const PURGE_EVERY_MS = 3_600_000;

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
  readonly #rounds: Rounds;
  readonly #webhookRounds: Rounds;
  readonly #parts: OutboxParts;
  readonly #deliver: (submission: Submission) => Promise<DeliverOutcome>;
  #boundId: string | undefined;
  #cancelPurge = () => {};

  constructor(options: OutboxOptions) {
    const { database, mode, mailer, mail, webhook, log } = options;
    const { clock = systemClock, background = true } = options;
    const schedule = { ...SCHEDULE, ...options.schedule };
    this.database = database;
    this.#policies = options.policies ?? POLICIES;
    this.#retentionDays = options.retentionDays ?? 30;
    this.#rounds = createRounds(clock);
    this.#webhookRounds = createRounds(clock);
    this.#parts = {
      mailer,
      mail,
      schedule,
      clock,
      log,
      closing: this.#closing.signal,
      open: () => this.open(),
      store: openStore(database, {
        mode,
        leaseMs: schedule.leaseMs,
        policies: this.#policies,
        hasWebhook: webhook !== undefined,
      }),
      breaker: createBreaker(schedule.probeEveryMs, clock.monotonic),
      databaseState: createDatabaseState(log, () => this.#rounds.beginIn(schedule.reopenAfterMs)),
      lookIn: this.#rounds.beginIn,
      lookForWebhooks: () => this.#webhookRounds.beginIn(0),
    };
    this.#deliver = createIntake(this.#parts);
    if (!background) return;
    this.#rounds.start(runRound(this.#parts));
    if (webhook) this.#webhookRounds.start(runWebhookRound({ ...this.#parts, webhook }));
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

  /** @returns what became of the submission; `isMailDown`: no other mail would arrive either */
  async retry(id: string): Promise<RetryResult> {
    await this.open();
    const { store, clock } = this.#parts;
    const record = await leaseOne(store, id, clock.now());
    if (!record) {
      const state = (await find(this.database, id))?.state;
      return { result: state === 'pending' ? 'being-sent' : 'finished' };
    }
    const failure = await sendOnce(this.#parts, record, 'team');
    if (!failure) return { result: 'delivered' };
    await planTeam(this.#parts, { ...record, tries: 0 }, failure);
    return { result: 'kept', code: failure.code, isMailDown: failure.isDown };
  }

  /** Sends what is due, for at most so long: before a session ends that nobody may begin again. */
  async sendDue(withinMs: number): Promise<void> {
    const all = Promise.all([this.#rounds.finish(), this.#webhookRounds.finish()]);
    await inTime(this.#parts.clock, withinMs, all);
  }

  /** Lets sends under way end, at most `withinMs`; then closes the database. */
  async close(withinMs = CLOSE_WITHIN_MS): Promise<void> {
    this.#closing.abort();
    this.#cancelPurge();
    const rounds = [this.#rounds.stop(), this.#webhookRounds.stop()];
    const ending = Promise.allSettled([...rounds, ...this.#inFlight]);
    await inTime(this.#parts.clock, withinMs, ending);
    await this.database.close();
  }

  /** Erases what is too old. */
  async #purge(): Promise<void> {
    const { clock, log } = this.#parts;
    this.#cancelPurge = clock.setTimer(() => void this.#purge(), PURGE_EVERY_MS);
    const nowMs = clock.now();
    const beforeMs = nowMs - this.#retentionDays * 24 * 3_600_000;
    try {
      const count = await purgeFinished(this.database, beforeMs, nowMs);
      if (count > 0) log('info', 'old submissions purged', { count });
      await purgeAsked(this.database, beforeMs);
    } catch (cause) {
      log('error', 'purge failed', { cause: codeOf(cause), alarm: true });
    }
  }
}
