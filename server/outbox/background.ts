import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, leaseDue, makeAllDue, newlyOverdue, nextDueAtMs, probeWrite } from './deliveries.ts';
import type { Round } from './rounds.ts';
import { planNext, sendOnce } from './send.ts';
import type { OutboxParts } from './senders.ts';
import { DatabaseRefused } from './sql.ts';
import { find, type Part } from './stored-submission.ts';

/** Logs once that submissions cannot be kept, and once that they can again. Health reads these lines. */
export function createDatabaseState(log: Log) {
  let isFailing = false;
  return {
    failed(cause: unknown): void {
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

/** Parts that are sent one after the other. Mails and events have two lanes, so neither waits. */
interface Lane {
  readonly owed: readonly Part[];
  /** Milliseconds until one may be tried. */
  readonly waitMs: () => number;
}

/**
 * Makes a round: it sends the due deliveries of a lane, of any process. Run it when something is due, and
 * every `pollEveryMs` for deliveries of other processes.
 */
export function runRound(parts: OutboxParts, lane: Lane): Round {
  const { open, store, schedule, clock, log, databaseState } = parts;
  const openedAtMs = clock.now();
  let isFirst = true;
  return async stopping => {
    try {
      await open();
      const nowMs = clock.now();
      if (isFirst) await makeAllDue(store, lane.owed, { nowMs, plannedBeforeMs: openedAtMs });
      isFirst = false;
      for (const { reference, kind } of await newlyOverdue(store, nowMs)) {
        log('error', 'submission overdue', { reference, kind, alarm: true });
      }
      const waitMs = await sendAllDue(parts, lane, stopping);
      await probeWrite(store, clock.now());
      databaseState.works();
      return waitMs;
    } catch (cause) {
      databaseState.failed(cause);
      return schedule.reopenAfterMs;
    }
  };
}

/** @returns milliseconds until something is due */
async function sendAllDue(parts: OutboxParts, lane: Lane, stopping: AbortSignal): Promise<number> {
  const { store, schedule, clock } = parts;
  while (!stopping.aborted && lane.waitMs() === 0) {
    const delivery = await leaseDue(store, lane.owed, clock.now());
    if (!delivery) break;
    await send(parts, delivery, stopping);
  }
  const dueAtMs = (await nextDueAtMs(store, lane.owed)) ?? Number.POSITIVE_INFINITY;
  const waitMs = dueAtMs - clock.now();
  // A delivery that is already due has the lease of another process.
  const untilDueMs = waitMs > 0 ? Math.min(waitMs, schedule.pollEveryMs) : schedule.pollEveryMs;
  return Math.max(lane.waitMs(), untilDueMs);
}

async function send(parts: OutboxParts, delivery: Delivery, stopping: AbortSignal): Promise<void> {
  const { store, clock, mail, log } = parts;
  const { database } = store;
  const record = await find(database.query, delivery.submission);
  if (!record) return;
  if (delivery.state === 'waiting') {
    const isAdmitted = await database.exclusively(['confirmations'], query =>
      admitConfirmation(query, record, { ...store, mail, log, nowMs: clock.now() }),
    );
    if (!isAdmitted) return;
  }
  const failure = await sendOnce(parts, record, delivery.part, stopping);
  if (failure) await planNext(parts, record, delivery, failure);
}
