import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import type { MailError } from '../mail/mailer.ts';
import type { Clock } from './clock.ts';
import { tellHeldBack } from './confirmation.ts';
import { nextTry } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import {
  failuresOf,
  leaseDue,
  makeAllDue,
  newlyOverdue,
  nextDueAtMs,
  planNext,
  settle,
  takeRoom,
} from './sending.ts';
import { DatabaseRefused } from './sql.ts';
import type { Stored } from './stored-submission.ts';

/**
 * Sends mail in the background, one after the other: team mails that failed, in any process, and all confirmations. It looks
 * when something is due, and every `pollEveryMs` for what other processes left behind. It logs once that the database fails,
 * and once that it works again.
 */
export function createDelivery(parts: OutboxParts) {
  const { open, store, schedule, clock, log } = parts;
  const openedAtMs = clock.now();
  let isFirst = true;
  let isFailing = false;
  return createRounds(async stopping => {
    try {
      await open();
      if (isFirst) await makeAllDue(store, clock.now(), openedAtMs);
      isFirst = false;
      const waitMs = await sendAllDue(parts, stopping);
      if (isFailing) log('info', 'submissions can be kept again');
      isFailing = false;
      return waitMs;
    } catch (cause) {
      const fix = cause instanceof DatabaseRefused && { fix: cause.message };
      const fault = messageOf(cause);
      if (!isFailing)
        log('error', 'submissions cannot be kept', { cause: codeOf(cause), ...fix, alarm: true, fault });
      isFailing = true;
      return schedule.pollEveryMs;
    }
  }, clock);
}

/** @returns how long there is nothing to do, in milliseconds */
async function sendAllDue(parts: OutboxParts, stopping: AbortSignal): Promise<number> {
  const { store, breaker, schedule, clock, log } = parts;
  for (const { reference, kind } of await newlyOverdue(store, clock.now())) {
    log('error', 'submission overdue', { reference, kind, alarm: true });
  }
  while (!stopping.aborted && breaker.waitMs() === 0) {
    const record = await leaseDue(store, clock.now());
    if (!record) break;
    await send(parts, record);
  }
  const dueAtMs = (await nextDueAtMs(store)) ?? Number.POSITIVE_INFINITY;
  const waitMs = dueAtMs - clock.now();
  // Another process is sending what is already due.
  return Math.max(
    breaker.waitMs(),
    waitMs > 0 ? Math.min(waitMs, schedule.pollEveryMs) : schedule.pollEveryMs,
  );
}

async function send(parts: OutboxParts, record: Stored): Promise<unknown> {
  const { store, breaker, clock, log } = parts;
  const { state, confirmation, tries } = record;
  const nowMs = clock.now();
  if (!breaker.claim()) return planNext(store, { ...record, due_at: nowMs }, nowMs);
  const part = state === 'pending' ? 'team' : 'confirm';
  if (confirmation === 'waiting' && part === 'confirm') {
    const held = await takeRoom(store, record, nowMs);
    if (held) return tellHeldBack(log, record, held);
  }
  const failure = await sendOnce(parts, record, part);
  const plan = part === 'team' ? planTeam : planConfirmation;
  return failure && plan(parts, { ...record, tries: tries + 1 }, failure);
}

async function planConfirmation(
  parts: OutboxParts,
  record: Stored,
  { kind, code }: MailError,
): Promise<unknown> {
  const { store, schedule, clock, log } = parts;
  const { id, reference } = record;
  const nowMs = clock.now();
  const due_at = nextTry(record, nowMs, schedule);
  if (due_at !== null && kind !== 'permanent') return planNext(store, { ...record, due_at }, nowMs);
  log('warn', 'confirmation given up', { reference, outcome: kind, code });
  return settle(store.database.query, id, { to: 'failed', note: `${kind} ${code}`, nowMs });
}

/** A failure that only the operator can end is an alarm at once, and once: later tries of the same mail are lines of the log. */
export async function planTeam(
  parts: OutboxParts,
  record: Stored,
  { kind: outcome, code }: MailError,
): Promise<void> {
  const { store, schedule, clock, log, lookIn } = parts;
  const { id, reference, kind, tries } = record;
  const needsOperator = outcome === 'configuration' || outcome === 'permanent';
  const isNew = needsOperator && (await failuresOf(store, id, code)) <= 1;
  const alarm = isNew && { alarm: true };
  log(needsOperator ? 'error' : 'warn', 'mail failed', { reference, kind, tries, outcome, code, ...alarm });
  const nowMs = clock.now();
  const due_at = nextTry(record, nowMs, schedule);
  await planNext(store, { ...record, due_at }, nowMs);
  if (due_at !== null) lookIn(due_at - nowMs);
}

/**
 * Runs a task again and again, never two at once.
 * @param round aborted by `stop`; resolves to the milliseconds until there is something to do again, and never rejects
 */
export function createRounds(round: (stopping: AbortSignal) => Promise<number>, clock: Clock) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let cancelTimer = () => {};
  let armedAtMs = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Begins a round after `ms`, unless one begins sooner. */
  const beginIn = (ms: number): void => {
    const atMs = clock.monotonic() + ms;
    if (signal.aborted || atMs >= armedAtMs) return;
    cancelTimer();
    armedAtMs = atMs;
    cancelTimer = clock.setTimer(begin, ms);
  };

  /** Begins a round now, or once more when the one under way has ended. */
  const begin = (): void => {
    armedAtMs = Number.POSITIVE_INFINITY;
    if (underWay) isAskedAgain = true;
    else underWay = round(signal).then(goOn);
  };

  const goOn = (waitMs: number): void => {
    underWay = undefined;
    beginIn(isAskedAgain ? 0 : waitMs);
    isAskedAgain = false;
  };

  /** Begins nothing more; resolves when the round under way has ended. */
  const stop = async (): Promise<void> => {
    stopping.abort();
    cancelTimer();
    await underWay;
  };

  /** Lets the round under way end, and runs another. */
  const finish = async (): Promise<void> => {
    await underWay;
    begin();
    await underWay;
  };

  return { begin, beginIn, finish, stop };
}
