import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import type { MailError } from '../mail/mailer.ts';
import { tellHeldBack } from './confirmation.ts';
import type { Round } from './rounds.ts';
import { nextTry } from './schedule.ts';
import { type OutboxParts, sendOnce } from './sender.ts';
import {
  failuresOf,
  leaseDue,
  makeAllDue,
  newlyOverdue,
  nextDueAtMs,
  noteAlive,
  planNext,
  settle,
  takeRoom,
} from './sending.ts';
import { DatabaseRefused } from './sql.ts';
import type { Stored } from './stored-submission.ts';

/**
 * Whether submissions can be kept. The log says once that they cannot, with the reason, and once that they
 * can again; health follows these lines.
 * @param onFailure asks for a look at the database soon
 */
export function createDatabaseState(log: Log, onFailure: () => void) {
  let isFailing = false;
  return {
    failed(cause: unknown): void {
      onFailure();
      if (isFailing) return;
      isFailing = true;
      const fix = cause instanceof DatabaseRefused && { fix: cause.message };
      const fault = messageOf(cause);
      log('error', 'submissions cannot be kept', { cause: codeOf(cause), ...fix, alarm: true, fault });
    },
    works(): void {
      if (isFailing) log('info', 'submissions can be kept again');
      isFailing = false;
    },
  };
}

export type DatabaseState = ReturnType<typeof createDatabaseState>;

/**
 * A round of the background: sends team mails that failed, in any process, and all confirmations, one after
 * the other. It is run when something is due, and every `pollEveryMs` for what other processes left behind.
 */
export function runRound(parts: OutboxParts): Round {
  const { open, store, schedule, clock, databaseState } = parts;
  const openedAtMs = clock.now();
  let isFirst = true;
  return async stopping => {
    try {
      await open();
      if (isFirst) await makeAllDue(store, clock.now(), openedAtMs);
      isFirst = false;
      const waitMs = await sendAllDue(parts, stopping);
      await noteAlive(store, clock.now());
      databaseState.works();
      return waitMs;
    } catch (cause) {
      databaseState.failed(cause);
      return schedule.pollEveryMs;
    }
  };
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
  if (breaker.waitMs() > 0) return planNext(store, { ...record, due_at: nowMs }, nowMs);
  const part = state === 'pending' ? 'team' : 'confirm';
  if (confirmation === 'waiting' && part === 'confirm') {
    const heldBackReason = await takeRoom(store, record, nowMs);
    if (heldBackReason) return tellHeldBack(log, record, heldBackReason);
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

/**
 * A failure that only the operator can end is an alarm at once, and once: later tries of the same mail are
 * lines of the log.
 */
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
