import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import type { MailError } from '../mail/mailer.ts';
import { tellHeldBack } from './confirmation.ts';
import { createRounds } from './rounds.ts';
import { nextTry } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import {
  failuresOf,
  leaseDue,
  makeAllDue,
  newlyOverdue,
  nextDueAtMs,
  noteConfirmed,
  planNext,
  takeRoom,
} from './sending.ts';
import { DatabaseRefused } from './sql.ts';
import type { Stored } from './stored-submission.ts';

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Sends mail in the background, one after the other: team mails that failed, in any process, and all confirmations. It looks
 * when something is due, and every `pollEveryMs` for what other processes left behind.
 */
export function createDelivery(parts: OutboxParts) {
  const { store, clock } = parts;
  const work: Work = { ...parts, lookAt: ms => rounds.beginIn(ms - clock.now()) };
  const rounds = createRounds(watchedRound(work), clock);
  return {
    start: rounds.begin,
    stop: rounds.stop,
    finish: rounds.finish,
    /** Looks at once: a confirmation became due. */
    nudge: () => rounds.beginIn(0),
    /** Makes everything pending due, and looks. */
    async wake(): Promise<void> {
      const nowMs = clock.now();
      await makeAllDue(store, nowMs, nowMs + 1);
      rounds.beginIn(0);
    },
    /** Plans the first background try of the team's mail. */
    planTeam: (record: Stored, failure: MailError) => planTeam(work, { ...record, tries: 0 }, failure),
  };
}

interface Work extends OutboxParts {
  /** Begins a round at a time of the clock, unless one begins sooner. */
  readonly lookAt: (ms: number) => void;
}

/** Logs once that the database fails, and once that it works again. @returns a round of `createRounds` */
function watchedRound(work: Work) {
  const { store, schedule, clock, log } = work;
  const openedAtMs = clock.now();
  let isFirst = true;
  let isFailing = false;
  return async (stopping: AbortSignal): Promise<number> => {
    try {
      await work.open();
      if (isFirst) await makeAllDue(store, clock.now(), openedAtMs);
      isFirst = false;
      const waitMs = await sendAllDue(work, stopping);
      if (isFailing) log('info', 'submissions can be kept again');
      isFailing = false;
      return waitMs;
    } catch (cause) {
      const fix = cause instanceof DatabaseRefused && { fix: cause.message };
      const fault = messageOf(cause);
      if (!isFailing) log('error', 'submissions cannot be kept', { cause: codeOf(cause), ...fix, alarm: true, fault });
      isFailing = true;
      return schedule.pollEveryMs;
    }
  };
}

/** @returns how long there is nothing to do, in milliseconds */
async function sendAllDue(work: Work, stopping: AbortSignal): Promise<number> {
  const { store, breaker, schedule, clock, log } = work;
  for (const { reference, kind } of await newlyOverdue(store, clock.now())) {
    log('error', 'submission overdue', { reference, kind, alarm: true });
  }
  while (!stopping.aborted && breaker.waitMs() === 0) {
    const record = await leaseDue(store, clock.now());
    if (!record) break;
    await send(work, record);
  }
  const dueAtMs = (await nextDueAtMs(store)) ?? Number.POSITIVE_INFINITY;
  const waitMs = dueAtMs - clock.now();
  // Another process is sending what is already due.
  return Math.max(breaker.waitMs(), waitMs > 0 ? Math.min(waitMs, schedule.pollEveryMs) : schedule.pollEveryMs);
}

async function send(work: Work, record: Stored): Promise<void> {
  const { store, breaker, clock } = work;
  const nowMs = clock.now();
  if (!breaker.claim()) return void (await planNext(store, record.id, { dueAtMs: nowMs, tries: record.tries, nowMs }));
  const tried = { ...record, tries: record.tries + 1 };
  const part = record.state === 'pending' ? 'team' : 'confirm';
  if (record.confirmation === 'waiting' && part === 'confirm') {
    const held = await takeRoom(store, record, nowMs);
    if (held) return tellHeldBack(work.log, record, held);
  }
  const failure = await sendOnce(work, record, part);
  if (failure) await (part === 'team' ? planTeam : planConfirmation)(work, tried, failure);
}

async function planConfirmation(work: Work, record: Stored, { kind, code }: MailError): Promise<void> {
  const { store, schedule, clock, log } = work;
  const nowMs = clock.now();
  const plan = nextTry(record.received_at, record.tries, nowMs, schedule);
  if (plan.dueAtMs !== undefined && kind !== 'permanent') {
    return void (await planNext(store, record.id, { ...plan, nowMs }));
  }
  log('warn', 'confirmation given up', { reference: record.reference, outcome: kind, code });
  await noteConfirmed(store, record.id, { nowMs, fault: `${kind} ${code}` });
}

/** A failure that only the operator can end is an alarm at once, and once: later tries of the same mail are lines of the log. */
async function planTeam(work: Work, record: Stored, failure: MailError): Promise<void> {
  const { store, schedule, clock, log, lookAt } = work;
  const { id, reference, kind, tries, received_at: receivedAtMs } = record;
  const { kind: outcome, code } = failure;
  const needsOperator = outcome === 'configuration' || outcome === 'permanent';
  const isNew = needsOperator && (await failuresOf(store, id, code)) <= 1;
  const alarm = isNew && { alarm: true };
  log(needsOperator ? 'error' : 'warn', 'mail failed', { reference, kind, tries, outcome, code, ...alarm });
  const nowMs = clock.now();
  const plan = nextTry(receivedAtMs, tries, nowMs, schedule);
  await planNext(store, id, { ...plan, nowMs });
  if (plan.dueAtMs !== undefined) lookAt(plan.dueAtMs);
}
