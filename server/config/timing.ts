/** Spans in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Runs `act` once for all callers. After a failure the next caller tries again. */
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

/** The result of the work. @throws Error when it takes longer than `ms` */
export function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms).unref();
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
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
