import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { nodeArguments } from './child.ts';
import { TABLE_ALONE } from './support.ts';

/** A real process of this service, with everything it wrote. */
export interface Service {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when its stderr shows the words; rejects when it ends without them. */
  wrote(words: RegExp): Promise<RegExpExecArray>;
  /** Its exit code, or the signal that ended it, once its output was read. */
  readonly exit: Promise<number | NodeJS.Signals | null>;
}

/** No process of a test needs longer, on a busy machine either: one that hangs fails its test. */
const LONGEST_MS = 90_000;

/** Starts a command of the service with this environment and no other; ended with the test by its own handle. */
export function startProcess(
  t: TestContext,
  file: 'server/main.ts' | 'server/cli.ts',
  env: Record<string, string>,
  args: readonly string[] = [],
): Service {
  const child = spawn(process.execPath, nodeArguments(file, ...args), {
    env: { PATH: process.env.PATH, PORT: '0', ...TABLE_ALONE, ...env },
    cwd: tmpdir(),
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal);
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exit;
  });
  return {
    child,
    exit,
    stdout: () => stdout,
    stderr: () => stderr,
    async wrote(words) {
      for (let ended = false; ; ) {
        const found = words.exec(stderr);
        if (found) return found;
        if (ended) throw new Error(`ended without ${words}:\n${stderr}`);
        ended = await Promise.race([once(child.stderr, 'data').then(() => false), exit.then(() => true)]);
      }
    },
  };
}

/** `aval serve` on a free loopback port, once it listens. */
export async function startServerProcess(t: TestContext, env: Record<string, string>) {
  const service = startProcess(t, 'server/main.ts', env);
  const [, url = ''] = await service.wrote(/"event":"listening","url":"([^"]+)"/);
  return { ...service, url };
}

/** Runs `aval` to its end. */
export async function aval(t: TestContext, env: Record<string, string>, ...args: string[]) {
  const { exit, stdout, stderr, child } = startProcess(t, 'server/cli.ts', env, args);
  child.stdin.end();
  return { code: await exit, stdout: stdout(), stderr: stderr() };
}
