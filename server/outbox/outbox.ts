import type { Profile } from '../../brand/profile/schema.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Mode, Submission } from '../../tools/deliver.ts';
import type { Log } from '../config/log.ts';
import { bind } from './archive.ts';
import { type Clock, DAY_MS, inTime, systemClock } from './clock.ts';
import { createDelivery, planTeam } from './delivery.ts';
import { eraseAgain, purgeFinished } from './erasure.ts';
import { createIntake } from './intake.ts';
import { createBreaker, SCHEDULE, type Schedule } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import { leaseOne, makeAllDue } from './sending.ts';
import type { Database } from './sql.ts';
import { find, isReplay, openStore } from './store.ts';

export interface OutboxOptions extends Pick<OutboxParts, 'mailer' | 'mail' | 'log'> {
  readonly database: Database;
  readonly mode: Mode;
  readonly clock?: Clock;
  readonly schedule?: Partial<Schedule>;
  /** Days that fields are kept after the last mail. */
  readonly retentionDays?: number;
  /** `false` for one command of the operator: no re-delivery, no retention. */
  readonly background?: boolean;
}

export type Outbox = ReturnType<typeof openOutbox>;

export interface RetryResult {
  readonly result: 'delivered' | 'kept' | 'being-sent' | 'finished';
  readonly code?: string;
  /** No other mail would arrive either. */
  readonly isMailDown?: boolean;
}

/** Takes submissions in, and delivers what any process has left undelivered. */
export function openOutbox(options: OutboxOptions) {
  const {
    database,
    mode,
    mailer,
    mail,
    log,
    clock = systemClock,
    background = true,
    retentionDays = 30,
  } = options;
  const schedule = { ...SCHEDULE, ...options.schedule };
  const closing = new AbortController();
  let boundId: string | undefined;
  /** Opens the store for a profile. @throws DatabaseRefused where it belongs to another */
  const open = async (profile: Profile | undefined = mail.profile()): Promise<void> => {
    if (profile === undefined || profile.id === boundId) return;
    await bind(database, profile.id);
    boundId = profile.id;
  };
  const parts: OutboxParts = {
    ...{ open, mailer, mail, schedule, clock, log, closing: closing.signal },
    store: openStore(database, { mode, leaseMs: schedule.leaseMs }),
    breaker: createBreaker(schedule.probeEveryMs, clock.monotonic, async isBack => {
      log(isBack ? 'info' : 'error', isBack ? 'mail is back' : 'mail is down', { alarm: true });
      if (!isBack || !background) return;
      // What waited for it is due now.
      await makeAllDue(store, clock.now(), clock.now() + 1).catch(() => {});
      delivery.beginIn(0);
    }),
    lookIn: ms => delivery.beginIn(ms),
  };
  const { store } = parts;
  const delivery = createDelivery(parts);
  const deliver = createIntake(parts);
  const underWay = new Set<Promise<unknown>>();
  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };

  const stopRetention = background ? keepRetention(database, retentionDays, clock, log) : () => {};
  void (background ? delivery.begin() : delivery.stop());

  return {
    database,
    open,
    deliver: (submission: Submission) => tracked(deliver(submission)),
    /** Whether a submission repeats an Idempotency-Key with its body; `false` where that cannot be looked up. */
    isReplay: (submission: Submission) => isReplay(store, submission, clock.now()).catch(() => false),
    /** @returns what became of the submission; `isMailDown`: no other mail would arrive either */
    async retry(id: string): Promise<RetryResult> {
      await open();
      const record = await leaseOne(store, id, clock.now());
      if (!record)
        return { result: (await find(database, id))?.state === 'pending' ? 'being-sent' : 'finished' };
      const failure = await sendOnce(parts, record, 'team');
      if (!failure) return { result: 'delivered' };
      await planTeam(parts, { ...record, tries: 0 }, failure);
      return { result: 'kept', code: failure.code, isMailDown: failure.isDown };
    },
    /** Sends what is due, for at most so long: before a session ends that nobody may begin again. */
    async sendDue(withinMs: number) {
      await inTime(clock, withinMs, delivery.finish());
    },
    /** Lets sends under way end, at most `withinMs`; then closes the database. */
    async close(withinMs = CLOSE_WITHIN_MS) {
      closing.abort();
      stopRetention();
      await inTime(clock, withinMs, Promise.allSettled([delivery.stop(), ...underWay]));
      await database.close();
    },
  };
}

const CLOSE_WITHIN_MS = 12_000;

/** Purges now and once a day, and erases again whom a restore by another program brought back. @returns a function that stops it */
function keepRetention(database: Database, days: number, clock: Clock, log: Log): () => void {
  let cancel = () => {};
  const round = async () => {
    cancel = clock.setTimer(round, DAY_MS);
    const nowMs = clock.now();
    try {
      const again = await eraseAgain(database.query, { by: 'restore', nowMs });
      if (again > 0) log('warn', 'erased again', { count: again });
      const count = await purgeFinished(database, nowMs - days * DAY_MS, nowMs);
      if (count > 0) log('info', 'old submissions purged', { count });
    } catch (cause) {
      log('error', 'purge failed', { cause: codeOf(cause), alarm: true });
    }
  };
  void round();
  return () => cancel();
}
