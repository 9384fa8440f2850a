/** Runs `act` once for all callers. After a failure the next caller tries again. */
export function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= act().catch(error => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** What comes of the work, where it comes in time. @throws Error where it does not */
export function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms).unref();
    work.finally(() => clearTimeout(late)).then(resolve, reject);
  });
}

/** Does once in a while what would otherwise be done for every request. */
export function atMostEvery<Given extends unknown[], Result>(
  ms: number,
  now: () => number,
  act: (...given: Given) => Result,
): (...given: Given) => Result | undefined {
  let last = Number.NEGATIVE_INFINITY;
  return (...given) => {
    if (now() - last < ms) return undefined;
    last = now();
    return act(...given);
  };
}
