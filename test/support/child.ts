import {
  type ChildProcessWithoutNullStreams,
  type SpawnOptionsWithoutStdio,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { dataFolder } from './example.ts';
import { ROOT } from './folder.ts';

/** A test, or whatever else a process ends with. */
export type Ending = Pick<TestContext, 'after'>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** What the process has printed so far. */
  readonly printed: { stdout: string; stderr: string };
  /** The first match in what a stream prints. @throws Error with the output when the process ends before. */
  until(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
  /** Resolves when the process has ended and its output is read. */
  readonly ended: Promise<Ended>;
}

/** `npm test` builds dist/ first; a test file that is run alone compiles as it goes. */
const BUILT = import.meta.url.endsWith('.js');

/** Arguments of node that run a script of the project, a command of the service as it is tested. */
export function nodeArguments(script: string, ...args: string[]): string[] {
  if (BUILT && script.startsWith('server/')) return [`${ROOT}dist/${script.replace(/ts$/, 'js')}`, ...args];
  return ['--import', import.meta.resolve('tsx'), `${ROOT}${script}`, ...args];
}

/** Environment of a child: no settings or colours of this process, submissions kept in a folder of the test. */
export function childEnvironment(env: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', DATA_DIR: dataFolder(), ...env };
}

/** Runs a script of the project; ended with the test. */
export function startChild(
  context: Ending,
  command: readonly [script: string, ...args: string[]],
  env: Record<string, string> = {},
): Child {
  return startNode(context, nodeArguments(...command), { env });
}

/** No process of a test needs longer, on a busy machine either: one that hangs fails its test. */
const LONGEST_MS = 840_000;

/** Runs Node.js with these arguments; ended with the test. */
export function startNode(
  context: Ending,
  args: readonly string[],
  { cwd = ROOT, env = {} }: { readonly cwd?: string; readonly env?: Record<string, string> },
): Child {
  const options = { cwd, env: childEnvironment(env), timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const;
  return startProgram(context, [process.execPath, ...args], options);
}

/** Runs a program; ended with the test. */
export function startProgram(
  context: Ending,
  [command = '', ...args]: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): Child {
  const child = spawn(command, args, options);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      printed[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...printed }));
  context.after(() => {
    child.kill('SIGKILL');
    return ended;
  });
  const until: Child['until'] = async (stream, pattern) => {
    for (;;) {
      const [match] = pattern.exec(printed[stream]) ?? [];
      if (match !== undefined) return match;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`ended without ${pattern}: ${printed.stdout}${printed.stderr}`);
      await Promise.race([once(child[stream], 'data'), ended]);
    }
  };
  return { process: child, printed, until, ended };
}

/** Runs a script to its end, with nothing on its standard input. */
export function runChild(
  context: Ending,
  command: readonly [script: string, ...args: string[]],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = startChild(context, command, env);
  child.process.stdin.end();
  return child.ended;
}
