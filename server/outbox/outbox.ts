import type { Profile } from '../../brand/profile/schema.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Mode, Submission } from '../../tools/deliver.ts';
import type { Log } from '../config/log.ts';
import { bind } from './archive.ts';
import { createBreaker } from './breaker.ts';
import { type Clock, DAY_MS, sleep, systemClock } from './clock.ts';
import { createDelivery } from './delivery.ts';
import { eraseAgain, purgeFinished } from './erasure.ts';
import { createIntake } from './intake.ts';
import { SCHEDULE, type Schedule } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import { leaseOne } from './sending.ts';
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
  const { database, mode, mailer, mail, log, clock = systemClock, background = true, retentionDays = 30 } = options;
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
    breaker: createBreaker(schedule.probeEveryMs, clock.monotonic),
    onMail(isBack) {
      log(isBack ? 'info' : 'error', isBack ? 'mail is back' : 'mail is down', { alarm: true });
      if (isBack && background) delivery.wake().catch(() => {});
    },
  };
  const { store } = parts;
  const delivery = createDelivery(parts);
  const deliver = createIntake(parts, delivery);
  const underWay = new Set<Promise<unknown>>();
  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };

  const stopRetention = background ? keepRetention(database, retentionDays, clock, log) : () => {};
  if (background) delivery.start();
  else void delivery.stop();

  return {
    database,
    open,
    deliver: (submission: Submission) => tracked(deliver(submission)),
    /** Whether a submission repeats an Idempotency-Key with its body; `false` where that cannot be looked up. */
    isReplay: (submission: Submission) => isReplay(store, submission, clock.now()).catch(() => false),
    async retry(id: string): Promise<RetryResult> {
      await open();
      const record = await leaseOne(store, id, clock.now());
      if (!record) return { result: (await find(database, id))?.state === 'pending' ? 'being-sent' : 'finished' };
      const failure = await sendOnce(parts, record, 'team');
      if (!failure) return { result: 'delivered' };
      await delivery.planTeam(record, failure);
      return { result: 'kept', code: failure.code, isMailDown: failure.isDown };
    },
    /** Sends what is due, for at most so long: before a session ends that nobody may begin again. */
    async sendDue(withinMs: number) {
      await waitFor([delivery.finish()], clock, withinMs);
    },
    /** Lets sends under way end, at most `withinMs`; then closes the database. */
    async close(withinMs = CLOSE_WITHIN_MS) {
      closing.abort();
      stopRetention();
      await waitFor([delivery.stop(), ...underWay], clock, withinMs);
      await database.close();
    },
  };
}

const CLOSE_WITHIN_MS = 12_000;

/** Until all of it has ended, at most so long. */
async function waitFor(work: readonly Promise<unknown>[], clock: Clock, ms: number): Promise<void> {
  const isDone = new AbortController();
  void Promise.allSettled(work).then(() => isDone.abort());
  await sleep(clock, ms, isDone.signal);
}

/** Purges now and once a day, and erases again whom a restore by another program brought back. @returns a function that stops it */
function keepRetention(database: Database, days: number, clock: Clock, log: Log): () => void {
  let cancel = () => {};
  const round = () => {
    cancel = clock.setTimer(round, DAY_MS);
    const nowMs = clock.now();
    const purge = async () => {
      const again = await eraseAgain(database.query, { by: 'restore', nowMs });
      if (again > 0) log('warn', 'erased again', { count: again });
      const count = await purgeFinished(database, nowMs - days * DAY_MS, nowMs);
      if (count > 0) log('info', 'old submissions purged', { count });
    };
    purge().catch(cause => log('error', 'purge failed', { cause: codeOf(cause), alarm: true }));
  };
  round();
  return () => cancel();
}
