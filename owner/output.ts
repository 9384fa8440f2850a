import { visible, visibleJson } from '../brand/profile/visible.ts';

/** Where a command writes; `process` is one. */
export interface Output {
  /** Results, and nothing else: they are piped on. */
  readonly stdout: Writer;
  /** Notes for the person at the terminal. */
  readonly stderr: Writer;
}

interface Writer {
  write(text: string): unknown;
}

/** 0: done, or the answer is yes. 1: the answer is no. 3: there was nothing to judge. What could not be judged is thrown: 2. */
export type ExitCode = 0 | 1 | 3;

/** Several lines, each ended. Strangers may have written of them: nothing in them steers a terminal. */
export function writeLines(to: Writer, lines: readonly string[]): void {
  if (lines.length > 0) to.write(`${visible(lines.join('\n'))}\n`);
}

export function writeJson(to: Writer, value: unknown): void {
  to.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}
