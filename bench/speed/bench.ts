import { parseArgs } from 'node:util';
import { speedTable } from '../../docs/bench-tables.ts';
import { temporaryFolder } from '../../test/folder.ts';
import { type Child, start } from '../child.ts';
import { circumstances, keep, measureRounds, medianOf, medianRatio, print } from '../rounds.ts';
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
const rounds = await measureRounds(wanted, PLAN, round => process.stderr.write(`round ${round}/${PLAN.rounds}\n`));
const residentMb = { encoder: Math.round(servers.encoder.residentMb()), table: Math.round(servers.table.residentMb()) };
await Promise.all(Object.values(servers).map(server => server.stop()));

const report = { ...circumstances(), ...PLAN, rows: wanted.map(summary), residentMb };
if (options.write) keep('speed', report);
print(speedTable(JSON.stringify(report)));

function summary(row: Case) {
  const { name, against } = row;
  const other = wanted.find(one => one.name === against);
  return {
    name,
    ...(other && { against, ratio: Number(medianRatio(rounds, row, other).toFixed(3)) }),
    perSecond: Math.round(medianOf(rounds, row, 'perSecond')),
    cpuMicroseconds: Math.round(medianOf(rounds, row, 'cpuMicroseconds')),
    p50Ms: Number(medianOf(rounds, row, 'p50Ms').toFixed(1)),
    p99Ms: Number(medianOf(rounds, row, 'p99Ms').toFixed(1)),
  };
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
