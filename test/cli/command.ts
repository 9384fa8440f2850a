import { PassThrough } from 'node:stream';

/** What a command of the desk writes to, in this process. */
export class Sink {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

/** Runs a command and returns what it answered and wrote. */
export async function run(command: (output: { stdout: Sink; stderr: Sink }) => Promise<number>) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await command({ stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A terminal at which somebody types these lines; without them nobody sits there. */
export function terminal(typed?: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  // A terminal stays open after the last line.
  if (typed) stdin.write(`${typed.join('\n')}\n`);
  else stdin.end();
  return { stdout: new Sink(), stderr: new Sink(), stdin };
}
