/** Shows the progress of a long step on a terminal. Each line overwrites the last. */
export function showProgress(step: string, done: number, of: number): void {
  const share = `${Math.floor((100 * done) / of)} %`;
  process.stderr.write(done < of ? `\r${step} the profile: ${share}\x1b[K` : '\r\x1b[K');
}
