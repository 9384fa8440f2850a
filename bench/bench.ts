import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchTable } from '../docs/bench-table.ts';
import { ROOT } from '../test/support.ts';
import { askByGet, type Case, cases } from './cases.ts';
import { type Child, start } from './child.ts';
import { load } from './load.ts';
import { distinctQuestions } from './questions.ts';

/**
 * Throughput against the limit of node:http and against the usual SDK pattern. Interleaved: each round measures every
 * case once, so that a machine that slows down slows all of them; ratios are taken within a round.
 * usage: npm run bench [-- --rounds N --seconds S --write]
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const CONNECTIONS = 50;

/** As `npm start` runs it. */
const AVAL_FLAGS = ['--enable-source-maps', '--max-semi-space-size=8'];

interface Measurement {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const servers = {
  aval: await startAval(),
  echo: await start(['--import', 'tsx', 'bench/echo-server.ts']),
  sdk: await start(['--import', 'tsx', 'bench/sdk-v1-server.ts', 'brand']),
};
const table = cases(servers);
for (const row of table) await measure(row);
const rounds: Map<string, Measurement>[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const measured = new Map<string, Measurement>();
  for (const row of table) {
    measured.set(row.name, await measure(row));
    process.stderr.write(
      `round ${round}/${ROUNDS}  ${row.name}: ${Math.round(measured.get(row.name)?.perSecond ?? 0)}/s\n`,
    );
  }
  rounds.push(measured);
}
await Promise.all(Object.values(servers).map(server => server.stop()));

const report = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  rounds: ROUNDS,
  seconds: SECONDS,
  connections: CONNECTIONS,
  rows: table.map(summary),
  readyMs: Math.round(median(await startTimes(5))),
  resident: await residentMemory([10_000, 40_000, 70_000, 100_000]),
};
if (options.write) {
  mkdirSync(`${ROOT}bench/results`, { recursive: true });
  writeFileSync(`${ROOT}bench/results/bench.json`, `${JSON.stringify(report, null, 2)}\n`);
}
process.stdout.write(`${benchTable(JSON.stringify(report))}\n`);

async function measure({ child, requests }: Case): Promise<Measurement> {
  const before = child.cpuMicroseconds();
  const {
    perSecond,
    p50Ms,
    p99Ms,
    requests: count,
  } = await load({
    port: child.port,
    requests,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  return { perSecond, p50Ms, p99Ms, cpuMicroseconds: (child.cpuMicroseconds() - before) / count };
}

function summary({ name, against }: Case) {
  const of = (pick: (measurement: Measurement) => number) => median(rounds.map(round => figureOf(round, name, pick)));
  const ratios = rounds.map(
    round =>
      figureOf(round, name, ({ perSecond }) => perSecond) /
      figureOf(round, against ?? name, ({ perSecond }) => perSecond),
  );
  return {
    name,
    ...(against && { against, ratio: Number(median(ratios).toFixed(3)) }),
    perSecond: Math.round(of(({ perSecond }) => perSecond)),
    cpuMicroseconds: Math.round(of(({ cpuMicroseconds }) => cpuMicroseconds)),
    p50Ms: Number(of(({ p50Ms }) => p50Ms).toFixed(1)),
    p99Ms: Number(of(({ p99Ms }) => p99Ms).toFixed(1)),
  };
}

function figureOf(round: ReadonlyMap<string, Measurement>, name: string, pick: (m: Measurement) => number): number {
  const measurement = round.get(name);
  return measurement ? pick(measurement) : Number.NaN;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function startAval(): Promise<Child> {
  const limits = { LIMIT_DEFAULT: '9999999/1' };
  return start([...AVAL_FLAGS, 'dist/server/main.js'], { PORT: '0', NODE_ENV: 'development', ...limits });
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

/** Resident memory of one process after so many distinct questions in all. */
async function residentMemory(counts: readonly number[]): Promise<{ requests: number; mb: number }[]> {
  const child = await startAval();
  const requests = distinctQuestions(20_000).map(query => askByGet('/ask', query));
  const points = [];
  let sent = 0;
  for (const count of counts) {
    const { requests: more } = await load({
      port: child.port,
      requests,
      connections: CONNECTIONS,
      seconds: 120,
      maxRequests: count - sent,
    });
    sent += more;
    points.push({ requests: count, mb: Math.round(child.residentMb()) });
  }
  await child.stop();
  return points;
}
