import { parseArgs } from 'node:util';
import { speedTable } from '../../docs/bench-tables.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { type Child, start } from '../child.ts';
import { median } from '../figures.ts';
import { type LoadResult, load } from '../load/load.ts';
import { circumstances, keep, print } from '../result.ts';
import { type Case, cases } from './cases.ts';

/**
 * Throughput of what `npm start` runs, of the table alone, of bare node:http and of the usual SDK pattern. Interleaved: each
 * round measures every case once, so that a machine that slows down slows all of them; ratios are taken within a round.
 * usage: npm run bench [-- --rounds N --seconds S --only NAME --write]; `--only distinct` measures the cases whose names hold
 * that word and what they are compared with.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});

interface Measurement extends LoadResult {
  readonly cpuMicroseconds: number;
}

const PLAN = { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: 50 };

const servers = {
  encoder: await startAval('on'),
  table: await startAval('off'),
  echo: await start(['--import', 'tsx', 'bench/speed/echo-server.ts']),
  sdk: await start(['--import', 'tsx', 'bench/speed/sdk-v1-server.ts'], { ENCODER: 'off' }),
};
const all = cases(servers);
const named = all.filter(row => row.name.includes(options.only));
const wanted = all.filter(row => named.includes(row) || named.some(({ against }) => against === row.name));
const measured = new Map<Case, Measurement[]>(wanted.map(row => [row, []]));
// For warmth.
for (const row of wanted) await measure(row, Math.min(PLAN.seconds, 1));
for (let round = 1; round <= PLAN.rounds; round += 1) {
  for (const row of wanted) measured.get(row)?.push(await measure(row, PLAN.seconds));
  process.stderr.write(`round ${round}/${PLAN.rounds}\n`);
}
const residentMb = {
  encoder: Math.round(servers.encoder.residentMb()),
  table: Math.round(servers.table.residentMb()),
};
await Promise.all(Object.values(servers).map(server => server.stop()));

const report = { ...circumstances(), ...PLAN, rows: wanted.map(summary), residentMb };
if (options.write) keep('speed', report);
print(speedTable(JSON.stringify(report)));

function summary(row: Case) {
  const { name, against } = row;
  const other = wanted.find(one => one.name === against);
  return {
    name,
    ...(other && { against, ratio: Number(ratioOf(row, other).toFixed(3)) }),
    perSecond: Math.round(median(figuresOf(row, 'perSecond'))),
    cpuMicroseconds: Math.round(median(figuresOf(row, 'cpuMicroseconds'))),
    p50Ms: median(figuresOf(row, 'p50Ms')),
    p99Ms: median(figuresOf(row, 'p99Ms')),
  };
}

/** Median throughput as a multiple of another row's, each ratio taken within a round. */
function ratioOf(row: Case, other: Case): number {
  const others = figuresOf(other, 'perSecond');
  return median(figuresOf(row, 'perSecond').map((rate, round) => rate / (others[round] ?? Number.NaN)));
}

/** One figure of a row, of each round. */
function figuresOf(row: Case, figure: keyof Measurement): number[] {
  return (measured.get(row) ?? []).map(one => one[figure]);
}

async function measure({ child, requests }: Case, seconds: number): Promise<Measurement> {
  const before = child.cpuMicroseconds();
  const result = await load({ port: child.port, requests, connections: PLAN.connections, seconds });
  return { ...result, cpuMicroseconds: (child.cpuMicroseconds() - before) / result.requests };
}

/** As `npm start` runs it. */
function startAval(encoder: 'on' | 'off'): Promise<Child> {
  return start(['--max-semi-space-size=4', 'dist/server/main.js'], {
    PORT: '0',
    LIMIT_DEFAULT: '9999999/1',
    DATA_DIR: temporaryFolder(),
    ENCODER: encoder,
  });
}
