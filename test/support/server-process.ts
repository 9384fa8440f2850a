import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import { type Ending, nodeArguments, startNode } from './child.ts';

/** A real process of this service, with everything it wrote. */
export interface Service {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when its stderr shows the words; rejects when it ends without them. */
  wrote(words: RegExp): Promise<readonly string[]>;
  /** Its exit code, or the signal that ended it, once its output was read. */
  readonly exit: Promise<number | NodeJS.Signals | null>;
}

/** Starts a command of the service with this environment and no other; ended with the test by its own handle. */
export function startProcess(
  t: Ending,
  file: 'server/main.ts' | 'server/cli.ts',
  env: Record<string, string>,
  args: readonly string[] = [],
): Service {
  const started = startNode(t, nodeArguments(file, ...args), { cwd: tmpdir(), env: { PORT: '0', ...env } });
  const { process: child, printed, until, ended } = started;
  child.stdin.on('error', () => {});
  return {
    child,
    exit: ended.then(({ code, signal }) => code ?? signal),
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async wrote(words) {
      await until('stderr', words);
      return words.exec(printed.stderr) ?? [];
    },
  };
}

/** `aval serve` on a free loopback port, once it listens. */
export async function startServerProcess(t: Ending, env: Record<string, string>) {
  const service = startProcess(t, 'server/main.ts', env);
  const [, url = ''] = await service.wrote(/"event":"listening","url":"([^"]+)"/);
  /** Where ADMIN_PORT answers. */
  const admin = async () => (await service.wrote(/"admin":"([^"]+)"/))[1] ?? '';
  return { ...service, url, admin };
}

/** Runs `aval` to its end. */
export async function aval(t: Ending, env: Record<string, string>, ...args: string[]) {
  const { exit, stdout, stderr, child } = startProcess(t, 'server/cli.ts', env, args);
  child.stdin.end();
  return { code: await exit, stdout: stdout(), stderr: stderr() };
}
