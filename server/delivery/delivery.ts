import { codeOf } from '../config/fault-log.ts';
import type { Log } from '../config/log.ts';
import type { MailError } from '../mail/mailer.ts';
import type { Store } from '../submissions/store.ts';
import type { Stored } from '../submissions/stored.ts';
import type { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import { nextTry, type Schedule } from './schedule.ts';
import type { Sender } from './sender.ts';

interface DeliveryParts {
  readonly store: Store;
  readonly sender: Sender;
  readonly breaker: Breaker;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
}

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Sends what no request waits for, one mail after the other: the team's mail that failed, here or in another process, and
 * every confirmation. Looks when something is due, and every now and then for what others left behind.
 */
export function createDelivery({ store, sender, breaker, schedule, clock, log }: DeliveryParts) {
  let cancelTimer = () => {};
  let armedAtMs = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;
  let isFirst = true;
  let isFailing = false;

  /** Looks again after `ms`, unless it will sooner. */
  const lookIn = (ms: number): void => {
    const atMs = clock.monotonic() + Math.max(0, ms);
    if (isStopped || atMs >= armedAtMs) return;
    cancelTimer();
    armedAtMs = atMs;
    cancelTimer = clock.setTimer(look, Math.max(0, ms));
  };

  const look = (): void => {
    armedAtMs = Number.POSITIVE_INFINITY;
    if (underWay) isAskedAgain = true;
    else underWay = watchedRound().then(goOn);
  };

  const goOn = (waitMs: number): void => {
    underWay = undefined;
    lookIn(isAskedAgain ? 0 : waitMs);
    isAskedAgain = false;
  };

  /** Says once that the database fails, and once that it is back. */
  const watchedRound = async (): Promise<number> => {
    try {
      const waitMs = await round();
      if (isFailing) log('info', 'submissions can be kept again');
      isFailing = false;
      return waitMs;
    } catch (cause) {
      if (!isFailing) log('error', 'submissions cannot be kept', { cause: codeOf(cause), alarm: true });
      isFailing = true;
      return schedule.pollEveryMs;
    }
  };

  /** Sends everything due. @returns how long there is nothing to do */
  const round = async (): Promise<number> => {
    if (isFirst) await store.wake(clock.now());
    isFirst = false;
    for (const { reference, kind } of await store.newlyOverdue(clock.now())) {
      log('error', 'submission overdue', { reference, kind, alarm: true });
    }
    while (!isStopped && breaker.waitMs() === 0) {
      const record = await store.leaseDue(clock.now());
      if (!record) break;
      await send(record);
    }
    const dueAtMs = (await store.nextDueAtMs()) ?? Number.POSITIVE_INFINITY;
    const waitMs = dueAtMs - clock.now();
    // What is due already is being sent by somebody.
    return Math.max(breaker.waitMs(), waitMs > 0 ? Math.min(waitMs, schedule.pollEveryMs) : schedule.pollEveryMs);
  };

  const send = async (record: Stored): Promise<void> => {
    if (!breaker.claim())
      return void (await store.plan(record, { dueAtMs: clock.now(), tries: record.tries }, clock.now()));
    const part = record.state === 'pending' ? 'team' : 'confirm';
    const failure = await sender.sendOnce(record, part);
    if (!failure) return;
    if (part === 'team') return planTeam(record, record.tries + 1, failure);
    const plan = nextTry(record.received_at, record.tries + 1, clock.now(), schedule);
    if (plan.dueAtMs !== undefined && failure.kind !== 'permanent')
      return void (await store.plan(record, plan, clock.now()));
    log('warn', 'confirmation given up', { reference: record.reference, outcome: failure.kind, code: failure.code });
    await store.confirmed(record, clock.now(), `${failure.kind} ${failure.code}`);
  };

  /** Gives the lease back with the time of the next try. A failure that only the operator can end is an alarm at once. */
  const planTeam = async (record: Stored, tries: number, { kind: outcome, code }: MailError): Promise<void> => {
    const { reference, kind } = record;
    const needsOperator = outcome === 'configuration' || outcome === 'permanent';
    const alarm = needsOperator && { alarm: true };
    log(needsOperator ? 'error' : 'warn', 'mail failed', { reference, kind, tries, outcome, code, ...alarm });
    const plan = nextTry(record.received_at, tries, clock.now(), schedule);
    await store.plan(record, plan, clock.now());
    if (plan.dueAtMs !== undefined) lookIn(plan.dueAtMs - clock.now());
  };

  return {
    planTeam,
    start: look,
    /** Looks at once: a confirmation became due. */
    nudge: () => lookIn(0),
    /** Makes everything pending due, and looks. */
    async wake(): Promise<void> {
      await store.wake(clock.now());
      lookIn(0);
    },
    /** Starts nothing more; resolves when the send under way has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimer();
      await underWay;
    },
  };
}
