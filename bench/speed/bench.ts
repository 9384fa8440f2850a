import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchTable } from '../../docs/bench-table.ts';
import { ROOT } from '../../test/support.ts';
import { type Child, start } from '../child.ts';
import { distinctQuestions } from '../questions.ts';
import { circumstances, measureRounds, median, medianOf, medianRatio, residentMemory } from '../rounds.ts';
import { askByGet, type Case, call, cases } from './cases.ts';

/**
 * Throughput against the limit of node:http and against the usual SDK pattern. Interleaved: each round measures every
 * case once, so that a machine that slows down slows all of them; ratios are taken within a round.
 * usage: npm run bench [-- --rounds N --seconds S --only NAME --write]; `--only distinct` measures the cases whose names hold
 * that word and what they are compared with, and memory for fewer questions.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    against: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const PLAN = { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: 50 };

/** As `npm start` runs it. */
const AVAL_FLAGS = ['--max-semi-space-size=8'];

const DATA = mkdtempSync(join(tmpdir(), 'aval-bench-data-'));
process.once('exit', () => rmSync(DATA, { recursive: true, force: true }));

const servers = {
  aval: await startAval(),
  echo: await start(['--import', 'tsx', 'bench/speed/echo-server.ts']),
  sdk: await start(['--import', 'tsx', 'bench/speed/sdk-v1-server.ts', 'brand']),
  ...(options.against !== undefined && { other: await startAval(options.against) }),
};
const table = wanted(cases(servers), options.only);
const rounds = await measureRounds(table, PLAN, round => process.stderr.write(`round ${round}/${PLAN.rounds}\n`));
await Promise.all(Object.values(servers).map(server => server.stop()));

const report = {
  ...circumstances(),
  ...PLAN,
  rows: table.map(summary),
  readyMs: Math.round(median(await startTimes(5))),
  resident: await memory(options.only === '' ? [10_000, 40_000, 70_000, 100_000] : [10_000]),
};
if (options.against !== undefined) {
  for (const checkout of ['.', options.against]) {
    for (const [surface, request] of Object.entries({ 'GET /ask': askByGet, 'tools/call': call })) {
      const points = await memory([0, 10_000], { checkout, request });
      const said = points.map(({ requests, mb }) => `${mb} MB after ${requests} questions`).join(', ');
      process.stderr.write(`${checkout}: ${surface}: ${said}\n`);
    }
  }
}
if (options.write) {
  mkdirSync(`${ROOT}bench/results`, { recursive: true });
  writeFileSync(`${ROOT}bench/results/bench.json`, `${JSON.stringify(report, null, 2)}\n`);
}
process.stdout.write(`${benchTable(JSON.stringify(report))}\n`);

function wanted(all: readonly Case[], name: string): Case[] {
  const named = all.filter(row => row.name.includes(name));
  return all.filter(row => named.includes(row) || named.some(({ against }) => against === row.name));
}

function summary(row: Case) {
  const { name, against } = row;
  const other = table.find(one => one.name === against);
  return {
    name,
    ...(other && { against, ratio: Number(medianRatio(rounds, row, other).toFixed(3)) }),
    perSecond: Math.round(medianOf(rounds, row, 'perSecond')),
    cpuMicroseconds: Math.round(medianOf(rounds, row, 'cpuMicroseconds')),
    p50Ms: Number(medianOf(rounds, row, 'p50Ms').toFixed(1)),
    p99Ms: Number(medianOf(rounds, row, 'p99Ms').toFixed(1)),
  };
}

function startAval(checkout = '.'): Promise<Child> {
  const settings = {
    PORT: '0',
    NODE_ENV: 'development',
    LIMIT_DEFAULT: '9999999/1',
    DATA_DIR: mkdtempSync(join(DATA, 'a-')),
  };
  return start([...AVAL_FLAGS, join(checkout, 'dist/server/main.js')], settings);
}

/** From spawn to listening, milliseconds. */
async function startTimes(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const child = await startAval();
    times.push(child.readyMs);
    await child.stop();
  }
  return times;
}

/** Of one new process, after so many distinct questions in all. */
async function memory(counts: readonly number[], { checkout = '.', request = askByGet } = {}) {
  const child = await startAval(checkout);
  const requests = distinctQuestions(20_000).map(query => request(query));
  const points = await residentMemory({ child, requests }, counts, PLAN.connections);
  await child.stop();
  return points;
}
