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
