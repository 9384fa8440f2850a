/** Does a thing once, whoever asks for it; after a failure, the next who asks has it tried again. */
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
