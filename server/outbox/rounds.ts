import type { Clock } from './clock.ts';

/**
 * Runs a task again and again, never two at once.
 * @param round aborted by `stop`; resolves to the milliseconds until there is something to do again, and never rejects
 */
export function createRounds(round: (stopping: AbortSignal) => Promise<number>, clock: Clock) {
  const stopping = new AbortController();
  let cancelTimer = () => {};
  let armedAtMs = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Begins a round after `ms`, unless one begins sooner. */
  const beginIn = (ms: number): void => {
    const atMs = clock.monotonic() + Math.max(0, ms);
    if (stopping.signal.aborted || atMs >= armedAtMs) return;
    cancelTimer();
    armedAtMs = atMs;
    cancelTimer = clock.setTimer(begin, Math.max(0, ms));
  };

  /** Begins a round now, or once more when the one under way has ended. */
  const begin = (): void => {
    armedAtMs = Number.POSITIVE_INFINITY;
    if (underWay) isAskedAgain = true;
    else underWay = round(stopping.signal).then(goOn);
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
