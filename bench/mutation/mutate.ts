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
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { type Mutant, mutantsOf, sampled } from './mutants.ts';

const HELP = `npm run mutate -- [--room tools] [--sample 40] [--seed 1]

Breaks one place of a room after the other in a copy of the checkout, runs the tests of that room until one notices, and
prints every break that none noticed, then the share of those noticed by room. Without --room: all rooms.
`;
/** A break may make a test wait for ever: then it is noticed too. No test is silent for so long. */
const SILENCE_MS = 60_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A room and the test files that know it best, quick ones first; a break that only others notice counts as unnoticed. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  tools: [
    ...['presentation.test', 'idempotency.test', 'submissions.test', 'ask.test', 'mcp-tools.test', 'bad-input.test'],
    ...['http.test', 'submission-limits.test', 'action-limits.test', 'limits.test', 'openapi.test'],
  ],
  'tools/fields': [
    'submission-bodies.test',
    'submissions.test',
    'mail.test',
    'mcp-tools.test',
    'ask.test',
    'openapi.test',
  ],
  rest: [
    ...['deprecations.test', 'idempotency.test', 'submission-limits.test', 'http.test', 'form-origin.test'],
    ...['submission-bodies.test', 'ask.test', 'submissions.test', 'limits.test'],
  ],
  'rest/http': [
    ...['http.test', 'form-page.test', 'submission-bodies.test', 'bad-input.test', 'bad-http.test', 'ask.test'],
    'odd-requests.test',
  ],
  'rest/forms': ['form-page.test', 'pages.test', 'form-origin.test', 'submission-bodies.test', 'submissions.test'],
  'server/limits': [
    ...['rate-limiter.test', 'failover-limiter.test', 'store-limits.test', 'submission-limits.test', 'limits.test'],
    ...['action-limits.test', 'redis-limiter.process'],
  ],
  'server/submissions': [
    ...['store.test', 'outbox.test', 'idempotency.test', 'submission-story.test', 'submissions.test'],
    'submission-process.process',
  ],
  'server/delivery': [
    ...['outbox.test', 'store.test', 'idempotency.test', 'submission-story.test', 'mail.test'],
    'submission-sharing.process',
  ],
  'brand/trust': ['signature.test', 'verify-profile.test', 'verify-answer.test', 'remote-profile.test'],
  'brand/scores': ['retrieval.test', 'retrieval-model.test', 'ask.test', 'pacer.test'],
  'brand/retrieval': ['retrieval.test', 'ask.test', 'explain.test', 'pacer.test'],
};

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true, default: Object.keys(ROOMS) },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
for (const room of values.room) if (!ROOMS[room]) throw new Error(`no room ${room}: ${Object.keys(ROOMS).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'aval-mutants-'));
let running: ChildProcess | undefined;
process.once('exit', () => {
  end(running);
  rmSync(folder, { recursive: true, force: true });
});
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

// Postgres, which runs as a user of its own, must reach it.
chmodSync(folder, 0o755);
const copy = join(folder, 'aval');
/** What tests leave when they are ended. */
const temporary = join(folder, 'tmp');
const left = new Set(['node_modules', '.git', 'dist', '.test', '.aval']);
for (const name of readdirSync(ROOT)) if (!left.has(name)) cpSync(ROOT + name, join(copy, name), { recursive: true });
symlinkSync(`${ROOT}node_modules`, join(copy, 'node_modules'));
// Some tests read the shared folder beside the checkout.
symlinkSync(join(ROOT, '../shared'), join(folder, 'shared'));

const scores: string[] = [];
for (const room of values.room) scores.push(await scoreOf(room));
process.stdout.write(`\n${scores.join('\n')}\n`);

async function scoreOf(room: string): Promise<string> {
  process.stdout.write(`${room}, judged by ${ROOMS[room]?.join(', ')}\n`);
  if ((await run(room)) !== 'survived') throw new Error(`the tests of ${room} fail without a break`);
  const mutants = sampled(mutantsOf(copy, room), Number(values.sample), Number(values.seed));
  const counts = { noticed: 0, survived: 0, unreadable: 0 };
  for (const [at, mutant] of mutants.entries()) {
    const outcome = await broken(mutant, () => run(room));
    counts[outcome] += 1;
    process.stderr.write(`${at + 1} of ${mutants.length}: ${outcome}\n`);
    if (outcome === 'survived') process.stdout.write(described(mutant));
  }
  const all = counts.noticed + counts.survived;
  return `${room}: ${counts.noticed} of ${all} breaks noticed (${Math.round((100 * counts.noticed) / all)} %)`;
}

function described({ file, line, before, after }: Mutant): string {
  return `  ${file}:${line}\n    - ${before.trim()}\n    + ${after.trim()}\n`;
}

async function broken<Outcome>({ file, line, after }: Mutant, judge: () => Promise<Outcome>): Promise<Outcome> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text
      .split('\n')
      .with(line - 1, after)
      .join('\n'),
  );
  const outcome = await judge();
  writeFileSync(path, text);
  return outcome;
}

/** The tests in one process, since loading modules and the model takes longer than most of them. `unreadable`: not TypeScript. */
async function run(room: string): Promise<'noticed' | 'survived' | 'unreadable'> {
  const names = ROOMS[room] ?? [];
  const all = { contents: names.map(name => `import './test/${name}.ts';`).join('\n'), resolveDir: copy };
  const options = { absWorkingDir: copy, outfile: '.test/all.js', bundle: true, packages: 'external' } as const;
  const built = await build({ ...options, stdin: all, format: 'esm', platform: 'node', logLevel: 'silent' }).catch(
    () => undefined,
  );
  return built ? judged(join(copy, '.test/all.js')) : 'unreadable';
}

/** Ends the process at the first failure, with all that the tests have started. */
function judged(file: string): Promise<'noticed' | 'survived'> {
  return new Promise(resolve => {
    mkdirSync(temporary);
    const child = spawn(process.execPath, [file], {
      cwd: copy,
      env: { ...process.env, TMPDIR: temporary },
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

/** The whole group: a test may have started servers. */
function end(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
