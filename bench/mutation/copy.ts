import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Mutant } from './mutants.ts';

/** `unreadable`: a break that is no TypeScript. */
export type Outcome = 'noticed' | 'survived' | 'unreadable';

/** A copy of the checkout, where code may be broken; it goes when the process ends. */
export interface Copy {
  readonly path: string;
  /** What test files say, `limits.test` for `test/limits.test.ts`, while the mutant is in place. */
  judge(tests: readonly string[], mutant?: Mutant): Promise<Outcome>;
}

/** A break may make a test wait for ever: then it is noticed too. No test is silent for so long. */
const SILENCE_MS = 60_000;

/** @param checkout with a trailing slash */
export function createCopy(checkout: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'aval-mutants-'));
  let running: ChildProcess | undefined;
  process.once('exit', () => {
    end(running);
    rmSync(folder, { recursive: true, force: true });
  });
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
  // Postgres, which runs as a user of its own, must reach it.
  chmodSync(folder, 0o755);
  const path = join(folder, 'aval');
  const left = new Set(['node_modules', '.git', 'dist', '.test', '.aval']);
  for (const name of readdirSync(checkout).filter(name => !left.has(name))) {
    cpSync(checkout + name, join(path, name), { recursive: true });
  }
  symlinkSync(`${checkout}node_modules`, join(path, 'node_modules'));
  // Some tests read the shared folder beside the checkout.
  symlinkSync(join(checkout, '../shared'), join(folder, 'shared'));

  /** Ends the process at the first failure, with all that the tests have started. */
  function run(): Promise<Outcome> {
    // What tests leave when they are ended.
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    const env = { ...process.env, TMPDIR: temporary };
    return new Promise(resolve => {
      const child = spawn(process.execPath, ['.test/all.js'], {
        cwd: path,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      running = child;
      const silence = setTimeout(() => end(child), SILENCE_MS);
      child.stdout.setEncoding('utf8').on('data', (tap: string) => {
        silence.refresh();
        if (/^ *not ok/m.test(tap)) end(child);
      });
      child.once('exit', code => {
        clearTimeout(silence);
        end(child);
        rmSync(temporary, { recursive: true, force: true });
        resolve(code === 0 ? 'survived' : 'noticed');
      });
    });
  }

  return {
    path,
    async judge(tests, mutant) {
      const putBack = mutant && put(mutant, path);
      const outcome = (await bundle(tests, path)) ? await run() : 'unreadable';
      putBack?.();
      return outcome;
    },
  };
}

/** @returns what takes it out again */
function put({ file, line, after }: Mutant, path: string): () => void {
  const text = readFileSync(join(path, file), 'utf8');
  const lines = text.split('\n').with(line - 1, after);
  writeFileSync(join(path, file), lines.join('\n'));
  return () => writeFileSync(join(path, file), text);
}

/** All tests in one process, since loading modules and the model takes longer than most of them. */
async function bundle(tests: readonly string[], path: string): Promise<boolean> {
  const stdin = { contents: tests.map(name => `import './test/${name}.ts';`).join('\n'), resolveDir: path };
  const options = { absWorkingDir: path, outfile: '.test/all.js', bundle: true, packages: 'external' } as const;
  return build({ ...options, stdin, format: 'esm', platform: 'node', logLevel: 'silent' }).then(
    () => true,
    () => false,
  );
}

/** The whole group: a test may have started servers. */
function end(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
