import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * `npm run mutate -- --room tools [--sample 40] [--seed 1]`: breaks one place of a room after the other, runs the tests of that
 * room, and prints the share of breaks that a test noticed and every one that none did. Works on a copy of the checkout.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A room and the test files that know it best, `.test` unless said; a break that only others notice counts as unnoticed. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  tools: [
    'submissions',
    'submission-limits',
    'mcp-tools',
    'bad-input',
    'limits',
    'ask',
    'action-limits',
    'presentation',
  ],
  rest: ['submissions', 'submission-bodies', 'bad-input', 'form-page', 'ask', 'idempotency', 'deprecations', 'http'],
  'server/limits': [
    'rate-limiter',
    'store-limits',
    'limits',
    'action-limits',
    'submission-limits',
    'failover-limiter',
    'redis-limiter.process',
  ],
  'server/submissions': [
    'store',
    'outbox',
    'idempotency',
    'submission-story',
    'submissions',
    'submission-process.process',
  ],
  'server/delivery': ['outbox', 'store', 'idempotency', 'submission-story', 'mail', 'submission-sharing.process'],
  'brand/trust': ['signature', 'verify-profile', 'verify-answer', 'remote-profile'],
  'brand/scores': ['retrieval', 'retrieval-model', 'ask', 'pacer'],
  'brand/retrieval': ['retrieval', 'ask', 'explain', 'pacer'],
};

/** What a break is: one spelling for another. Spaces around an operator keep types, arrows and strings of markup out. */
const BREAKS: readonly (readonly [from: RegExp, to: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\bif \(!?/g, 'if (true || '],
  [/\bawait (?=[\w.]+\()/g, 'void '],
];

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const rooms = values.room === undefined ? Object.keys(ROOMS) : [values.room];
for (const room of rooms) if (!ROOMS[room]) throw new Error(`no room ${room}: ${Object.keys(ROOMS).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'aval-mutants-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const copy = join(folder, 'aval');
const left = new Set(['node_modules', '.git', 'dist', '.test', '.aval']);
for (const name of readdirSync(ROOT)) if (!left.has(name)) cpSync(ROOT + name, join(copy, name), { recursive: true });
symlinkSync(`${ROOT}node_modules`, join(copy, 'node_modules'));
// Some tests read the shared folder beside the checkout.
symlinkSync(join(ROOT, '../shared'), join(folder, 'shared'));

for (const room of rooms) {
  if (!isGreen(room)) throw new Error(`the tests of ${room} fail without a break`);
  const mutants = sampled(mutantsOf(room), Number(values.sample));
  const survivors = mutants.filter(survives(room));
  const noticed = mutants.length - survivors.length;
  process.stdout.write(
    `${room}: ${noticed} of ${mutants.length} breaks noticed (${Math.round((100 * noticed) / mutants.length)} %)\n`,
  );
  for (const { file, line, before, after } of survivors) {
    process.stdout.write(`  ${file}:${line}\n    - ${before.trim()}\n    + ${after.trim()}\n`);
  }
}

function survives(room: string) {
  return ({ file, line, after }: Mutant): boolean => {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text
        .split('\n')
        .with(line - 1, after)
        .join('\n'),
    );
    const survived = isGreen(room);
    writeFileSync(path, text);
    process.stderr.write(survived ? 'S' : '.');
    return survived;
  };
}

/**
 * File by file, so that the first that notices ends it, and without `--test`, whose children outlive it when it is killed. A
 * break may make tests wait for ever: then it is noticed too.
 */
function isGreen(room: string): boolean {
  return (ROOMS[room] ?? []).every(name => {
    const file = `test/${name.includes('.') ? name : `${name}.test`}.ts`;
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', file], {
      cwd: copy,
      timeout: 120_000,
      killSignal: 'SIGKILL',
      stdio: 'ignore',
    });
    return status === 0;
  });
}

function mutantsOf(room: string): Mutant[] {
  const files = readdirSync(join(copy, room), { withFileTypes: true }).filter(entry => entry.isFile());
  return files.flatMap(({ name }) => {
    const file = `${room}/${name}`;
    const lines = readFileSync(join(copy, file), 'utf8').split('\n');
    return lines.flatMap((before, at) =>
      isCode(before) ? breaksOf(before).map(after => ({ file, line: at + 1, before, after })) : [],
    );
  });
}

/** Comments, imports and types do nothing. */
function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*|import |export type |type |readonly |\| )/.test(line);
}

function breaksOf(line: string): string[] {
  return BREAKS.flatMap(([from, to]) =>
    [...line.matchAll(from)].map(({ index, 0: found }) => line.slice(0, index) + to + line.slice(index + found.length)),
  );
}

/** The same ones for the same seed, spread over the room (Knuth's multiplicative hash orders them). */
function sampled(mutants: readonly Mutant[], count: number): Mutant[] {
  const order = (at: number) => Math.imul(at + Number(values.seed), 2_654_435_761) >>> 0;
  return mutants
    .map((mutant, at) => ({ mutant, order: order(at) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
