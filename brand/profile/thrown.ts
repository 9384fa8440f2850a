/** The message of a thrown value, which may be no Error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The code of a file system error, such as `ENOSPC`. Its message would show strangers the server's paths. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
}

/** Whether an error of the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
