import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../test/support/folder.ts';
import { print } from '../result.ts';

/**
 * Plants the faults of `faults.txt` one at a time in a copy of the repository, runs the tests named beside
 * each, and says which test noticed. `npm run bench -- planted [--only TEXT]`; exit code 1 when a
 * fault survives.
 */
/** A file that takes longer counts as a failure: several times what the slowest one takes on a busy machine. */
const LONGEST_MS = 300_000;

const run = promisify(execFile);

/** One fault that somebody could make, as a change of one text in one file. */
interface PlantedFault {
  readonly file: string;
  /** What is wrong then, in a sentence. */
  readonly fault: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly becomes: string;
  /** Files in test/ that ought to notice, `room/name` without `.test.ts`. */
  readonly tests: readonly string[];
}

interface Verdict {
  readonly file: string;
  readonly fault: string;
  /** Title of the first test that failed; absent where the fault survived. */
  readonly caughtBy?: string;
}

async function main(args: readonly string[]): Promise<void> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
  const faults = (await plantedFaults()).filter(one => `${one.file} ${one.fault}`.includes(only ?? ''));
  const folder = await mkdtemp(join(tmpdir(), 'aval-planted-'));
  const copy = join(folder, 'aval');
  try {
    await copyRepository(copy);
    const verdicts: Verdict[] = [];
    for (const planted of faults) {
      const verdict = await judge(copy, planted);
      verdicts.push(verdict);
      print(`${verdict.caughtBy ?? 'SURVIVED'}  <-  ${planted.file}: ${planted.fault}`);
    }
    const survivors = verdicts.filter(({ caughtBy }) => caughtBy === undefined);
    print(`${verdicts.length - survivors.length} of ${verdicts.length} caught`);
    process.exitCode = survivors.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the tracked files; packages and papers beside the repository are linked. */
async function copyRepository(copy: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files'], { cwd: ROOT });
  for (const name of stdout.trim().split('\n')) await cp(join(ROOT, name), join(copy, name));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  await symlink(join(ROOT, '../shared'), join(copy, '../shared'));
}

/** The blocks of `faults.txt` after its first, which says how each is written. */
async function plantedFaults(): Promise<PlantedFault[]> {
  const text = await readFile(new URL('faults.txt', import.meta.url), 'utf8');
  const [, ...blocks] = text.trimEnd().split('\n\n');
  return blocks.map(block => {
    const [place = '', fault = '', ...change] = block.split('\n');
    const [file = '', tests = ''] = place.split(': ');
    const marked = (mark: string) =>
      change.flatMap(line => (line.startsWith(mark) ? line.slice(1) : [])).join('\n');
    return { file, fault, text: marked('-'), becomes: marked('+'), tests: tests.split(' ') };
  });
}

/** @throws Error for a fault that can no longer be planted: its text has changed */
async function judge(copy: string, { file, fault, text, becomes, tests }: PlantedFault): Promise<Verdict> {
  const path = join(copy, file);
  const whole = await readFile(path, 'utf8');
  if (whole.split(text).length !== 2) throw new Error(`${file}: not there exactly once: ${text}`);
  await writeFile(
    path,
    whole.replace(text, () => becomes),
  );
  try {
    const caughtBy = await firstFailure(copy, tests);
    return { file, fault, ...(caughtBy !== undefined && { caughtBy }) };
  } finally {
    await writeFile(path, whole);
  }
}

/** Runs one file after the other. @returns title of the first test that fails */
async function firstFailure(cwd: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const command = ['--import', 'tsx', '--test', '--test-reporter=tap', `test/${name}.test.ts`];
    const tests = run(process.execPath, command, { cwd, timeout: LONGEST_MS, maxBuffer: 1 << 26 });
    const failed = await tests.then(
      () => undefined,
      ({ stdout, killed }: { stdout: string; killed: boolean }) => ({ stdout, killed }),
    );
    if (failed?.killed) return `${name} ends in time`;
    if (failed) return /^ *not ok \d+ - (.+)$/m.exec(failed.stdout)?.[1] ?? `${name} loads`;
  }
  return undefined;
}

await main(process.argv.slice(2));
