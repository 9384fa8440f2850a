import type { Clock } from '../config/timing.ts';

/**
 * Does all due work, and resolves to the milliseconds until more is due. It never rejects.
 */
export type Round = (stopping: AbortSignal) => Promise<number>;

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
