/** Shows on a terminal how far a long step is, on one line that the next one overwrites. */
export function showProgress(step: string, done: number, of: number): void {
  const share = `${Math.floor((100 * done) / of)} %`;
  process.stderr.write(done < of ? `\r${step} the profile: ${share}\x1b[K` : '\r\x1b[K');
}
