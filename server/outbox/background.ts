import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import type { Clock } from '../config/timing.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, leaseDue, makeAllDue, nextDueAtMs, probeWrite } from './deliveries.ts';
import { planNext, sendOnce } from './send.ts';
import type { OutboxParts } from './senders.ts';
import { DatabaseRefused, type Query } from './sql.ts';
import { find, type Part } from './stored-submission.ts';
import { requireKnown } from './tables.ts';

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
  /** Whether its rounds look whether the database takes writes: one lane is enough. */
  readonly probes: boolean;
}

/**
 * Does all due work, and resolves to the milliseconds until more is due. It never rejects.
 */
type Round = (stopping: AbortSignal) => Promise<number>;

/**
 * Makes a round: it sends the due deliveries of a lane, of any process. Run it when something is due, and
 * every `pollEveryMs` for deliveries of other processes.
 */
export function runRound(parts: OutboxParts, lane: Lane): Round {
  const { open, store, schedule, clock, databaseState } = parts;
  const openedAtMs = clock.now();
  let isFirst = true;
  return async stopping => {
    try {
      await open();
      // A newer program may have changed the tables meanwhile.
      await requireKnown(store.database.query);
      const nowMs = clock.now();
      if (isFirst) await makeAllDue(store, lane.owed, { nowMs, plannedBeforeMs: openedAtMs });
      isFirst = false;
      const waitMs = await sendAllDue(parts, lane, stopping);
      if (lane.probes) {
        await probeWrite(store, clock.now());
        databaseState.works();
      }
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
  const { database } = parts.store;
  const record = await find(database.query, delivery.submission);
  if (!record) return;
  if (delivery.state === 'waiting') {
    const admit = (query: Query) => admitConfirmation(query, record, parts);
    if (!(await database.exclusively(['confirmations'], admit))) return;
  }
  const failure = await sendOnce(parts, record, delivery.part, stopping);
  if (failure) await planNext(parts, record, delivery, failure);
}

/** Runs a task again and again, never two rounds at once. `stop` aborts the signal of a round. */
export function createRounds(clock: Clock) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let round: Round | undefined;
  let cancelTimer = () => {};
  let armedAtMs = Number.POSITIVE_INFINITY;
  let inFlight: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Begins a round after `ms`, unless one begins sooner. */
  const beginIn = (ms: number): void => {
    const atMs = clock.monotonic() + ms;
    if (round === undefined || signal.aborted || atMs >= armedAtMs) return;
    cancelTimer();
    armedAtMs = atMs;
    cancelTimer = clock.setTimer(begin, ms);
  };

  /** Begins a round now, or once more when the one in flight has ended. */
  const begin = (): void => {
    armedAtMs = Number.POSITIVE_INFINITY;
    if (inFlight) isAskedAgain = true;
    else inFlight = round?.(signal).then(goOn);
  };

  const goOn = (waitMs: number): void => {
    inFlight = undefined;
    beginIn(isAskedAgain ? 0 : waitMs);
    isAskedAgain = false;
  };

  return {
    beginIn,
    /** Begins the first round of a task. Until then nothing begins. */
    start(task: Round): void {
      round = task;
      begin();
    },
    /** Begins nothing more; resolves when the round in flight has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      cancelTimer();
      await inFlight;
    },
    /** Lets the round in flight end, and runs another. */
    async finish(): Promise<void> {
      await inFlight;
      begin();
      await inFlight;
    },
  };
}

export type Rounds = ReturnType<typeof createRounds>;
