import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCopy } from './copy.ts';
import { type Mutant, mutantsOf, sampled } from './mutants.ts';

const HELP = `npm run mutate -- [--room tools] [--sample 40] [--seed 1] [--write]

Breaks one place of a room after the other in a copy of the checkout, runs the tests of that room until one notices, and
prints every break that none noticed, then the share of those noticed by room. Without --room: all rooms; --room may
be repeated. --write keeps the shares in bench/results/mutation.json.
`;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RESULTS = `${ROOT}bench/results/mutation.json`;

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
    ...['connections.test', 'odd-requests.test'],
  ],
  'rest/forms': ['form-page.test', 'pages.test', 'form-origin.test', 'submission-bodies.test', 'submissions.test'],
  'server/limits': [
    ...['rate-limiter.test', 'failover-limiter.test', 'redis-limiter.process', 'submission-limits.test'],
    ...['limits.test', 'action-limits.test', 'store-limits.test', 'shared-limits.process'],
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
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
for (const room of values.room) if (!ROOMS[room]) throw new Error(`no room ${room}: ${Object.keys(ROOMS).join(', ')}`);

const copy = createCopy(ROOT);
const scores: Record<string, Score> = {};
for (const room of values.room) scores[room] = await scoreOf(room);
for (const [room, { noticed, breaks }] of Object.entries(scores)) {
  process.stdout.write(`${room}: ${noticed} of ${breaks} breaks noticed (${Math.round((100 * noticed) / breaks)} %)\n`);
}
if (values.write) {
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  writeFileSync(RESULTS, `${JSON.stringify({ ...known, ...scores }, null, 2)}\n`);
}

interface Score {
  readonly noticed: number;
  readonly breaks: number;
  readonly seed: number;
}

async function scoreOf(room: string): Promise<Score> {
  const tests = ROOMS[room] ?? [];
  process.stdout.write(`${room}, judged by ${tests.join(', ')}\n`);
  if ((await copy.judge(tests)) !== 'survived') throw new Error(`the tests of ${room} fail without a break`);
  const seed = Number(values.seed);
  const mutants = sampled(mutantsOf(copy.path, room), Number(values.sample), seed);
  const counts = { noticed: 0, survived: 0, unreadable: 0 };
  for (const [at, mutant] of mutants.entries()) {
    const outcome = await copy.judge(tests, mutant);
    counts[outcome] += 1;
    process.stderr.write(`${at + 1} of ${mutants.length}: ${outcome}\n`);
    if (outcome === 'survived') process.stdout.write(described(mutant));
  }
  return { noticed: counts.noticed, breaks: counts.noticed + counts.survived, seed };
}

function described({ file, line, before, after }: Mutant): string {
  return `  ${file}:${line}\n    - ${before.trim()}\n    + ${after.trim()}\n`;
}
