import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FAULTS, type PlantedFault } from './faults.ts';

/**
 * Plants the faults of `faults.ts` one at a time in a copy of the repository, runs the tests named beside each, and says
 * which test noticed. `npm run planted -- [--write] [--only TEXT]`; exit code 1 when a fault survives.
 */
const ROOT = new URL('../..', import.meta.url).pathname;
const COPIED = ['bench', 'brand', 'build.js', 'discovery', 'docs', 'examples', 'mcpb', 'model', 'owner', 'package.json']
  .concat(['rest', 'schemas', 'server', 'test', 'tools', 'tsconfig.json', 'README.md', 'ARCHITECTURE.md', 'deploy'])
  .concat(['CHANGELOG.md', 'SECURITY.md', '.env.example', '.ci', 'types.js', 'sbom.js', 'tsconfig.types.json']);

const LONGEST_MS = 120_000;

interface Verdict {
  readonly file: string;
  readonly fault: string;
  /** Title of the first test that failed; absent where the fault survived. */
  readonly caughtBy?: string;
}

async function main(args: readonly string[]): Promise<void> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
  const faults = FAULTS.filter(({ file, fault }) => only === undefined || `${file} ${fault}`.includes(only));
  const copy = await mkdtemp(join(tmpdir(), 'aval-planted-'));
  try {
    for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true }).catch(ignoreMissing);
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const verdicts: Verdict[] = [];
    for (const planted of faults) {
      const verdict = await judge(copy, planted);
      verdicts.push(verdict);
      process.stdout.write(`${verdict.caughtBy ?? 'SURVIVED'}  <-  ${planted.file}: ${planted.fault}\n`);
    }
    const caught = verdicts.filter(({ caughtBy }) => caughtBy !== undefined).length;
    process.stdout.write(`${caught} of ${verdicts.length} caught\n`);
    const result = { planted: verdicts.length, caught, faults: verdicts };
    if (args.includes('--write')) {
      await writeFile(join(ROOT, 'bench/results/planted-faults.json'), `${JSON.stringify(result, null, 2)}\n`);
    }
    process.exitCode = caught === verdicts.length ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
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

/** @returns title of the first test that fails, or that nothing ended in time */
async function firstFailure(cwd: string, tests: readonly string[]): Promise<string | undefined> {
  const files = tests.map(name => `test/${name}.test.ts`);
  const command = ['--import', 'tsx', '--test', '--test-reporter=tap', ...files];
  const run = promisify(execFile)(process.execPath, command, { cwd, timeout: LONGEST_MS, maxBuffer: 1 << 26 });
  const output = await run.then(
    () => '',
    ({ stdout, killed }: { stdout: string; killed: boolean }) => (killed ? '    not ok 1 - ends in time' : stdout),
  );
  if (output === '') return undefined;
  const [, title = 'the file loads'] = /^ {4,}not ok \d+ - (.+)$/m.exec(output) ?? [];
  return title;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

await main(process.argv.slice(2));
