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
