/** Spans in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Runs `act` once for all callers. After a failure the next caller tries again.
 * @example const open = once(() => connect(settings)); // each call of `open` gets the same connection
 */
export function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= act().catch(error => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/** Time as an argument, so that tests of 48 hours are fast. */
export type Clock = Readonly<typeof systemClock>;

export const systemClock = {
  /** Milliseconds since 1970. It jumps when the clock is set. */
  now: Date.now,
  /** Milliseconds that never run backwards. */
  monotonic: () => performance.now(),
  /** Calls `act` once after `ms`; the result cancels it. */
  setTimer(act: () => void, ms: number) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted || ms <= 0) return resolve();
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.setTimer(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** The result of the work, or undefined after `ms`. */
export function inTime<Result>(clock: Clock, ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const done = new AbortController();
  const late = sleep(clock, ms, done.signal).then(() => undefined);
  return Promise.race([work, late]).finally(() => done.abort());
}

/** Calls `act` at most once in `ms` milliseconds. Calls between are dropped. */
export function atMostEvery<Arguments extends unknown[]>(
  ms: number,
  now: () => number,
  act: (...values: Arguments) => void,
): (...values: Arguments) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (...values) => {
    if (now() - lastMs < ms) return;
    lastMs = now();
    act(...values);
  };
}
