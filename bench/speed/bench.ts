import { parseArgs } from 'node:util';
import { startNode } from '../../test/support/child.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { type Child, residentMb, start } from '../child.ts';
import { median } from '../figures.ts';
import { distinctQuestions } from '../questions.ts';
import { circumstances, keep, print } from '../result.ts';
import { get, type LoadResult, load, post } from './load.ts';

/**
 * `npm run bench -- speed [--rounds N --seconds S --only NAME --write]`: the time and memory of a start, then
 * the answers a second of what `npm start` runs, beside a bare node:http server and the SDK's own server.
 * Interleaved: each round measures every row once, so that a machine that slows down slows all of them;
 * ratios are taken within a round.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const CONNECTIONS = 50;

/** As `npm start` runs it. */
const SERVER = ['--max-semi-space-size=4', 'dist/server/main.js'];
const COMMAND = 'dist/server/cli.js';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

interface StartRow {
  readonly name: string;
  readonly args: readonly string[];
  /** What it prints when it is there; without it, its end. */
  readonly until?: readonly [stream: 'stdout' | 'stderr', words: RegExp];
  /** Written to its stdin. */
  readonly message?: object;
  /** Asked of the address that it printed. */
  readonly path?: string;
  /** Its vectors are computed anew. */
  readonly isFirstStart?: boolean;
}

const LISTENS = ['stderr', /"listening","url":"[^"]+"/] as const;

const START_ROWS: readonly StartRow[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'server listens', args: SERVER, until: LISTENS },
  { name: 'first answer', args: SERVER, until: LISTENS, path: '/ask?q=precio' },
  { name: 'server listens, no vectors kept', args: SERVER, until: LISTENS, isFirstStart: true },
  { name: 'aval ask', args: [COMMAND, 'ask', 'precio'] },
  { name: 'stdio answers', args: [COMMAND, 'stdio'], until: ['stdout', /"result"/], message: INITIALIZE },
];

/** One kind of request against one server. */
interface LoadRow {
  readonly name: string;
  readonly child: Child;
  readonly requests: readonly Buffer[];
  /** Name of the row whose throughput it is compared with. */
  readonly against?: string;
}

interface Measurement extends LoadResult {
  readonly cpuMicroseconds: number;
}

const starts = options.only === '' ? await measureStarts() : undefined;
const speed = await measureSpeed();
const report = {
  ...circumstances(),
  rounds: ROUNDS,
  seconds: SECONDS,
  connections: CONNECTIONS,
  starts,
  ...speed,
};
if (options.write) keep('speed', report);
for (const row of [...(starts ?? []), ...speed.rows]) print(JSON.stringify(row));

/** Milliseconds from the start of a process until it is there, and its resident memory then. */
async function measureStarts() {
  const dataDirectory = temporaryFolder();
  const runs = new Map<StartRow, { ms: number; mb: number }[]>(START_ROWS.map(row => [row, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of START_ROWS) runs.get(row)?.push(await startOnce(row, dataDirectory));
  }
  return [...runs].map(([{ name }, times]) => ({
    name,
    ms: Math.round(median(times.map(({ ms }) => ms))),
    mb: Math.round(median(times.map(({ mb }) => mb))),
  }));
}

async function startOnce({ args, until, message, path, isFirstStart }: StartRow, dataDirectory: string) {
  const began = performance.now();
  const started = startNode({ after: () => {} }, args, {
    env: { PORT: '0', DATA_DIR: isFirstStart ? temporaryFolder() : dataDirectory },
  });
  const { process: child, ended } = started;
  child.stdin.on('error', () => {});
  if (message === undefined) child.stdin.end();
  else child.stdin.write(`${JSON.stringify(message)}\n`);
  const output = until ? await started.until(...until) : await ended;
  if (path !== undefined) {
    const url = /"url":"([^"]+)"/.exec(String(output))?.[1];
    await (await fetch(`${url}${path}`)).text();
  }
  const ms = performance.now() - began;
  const mb = until ? residentMb(child.pid) || 0 : 0;
  child.kill('SIGKILL');
  await ended;
  return { ms, mb };
}

async function measureSpeed() {
  const aval = await start(SERVER, { PORT: '0', LIMITS: 'default=9999999/1', DATA_DIR: temporaryFolder() });
  const bare = await start(['--import', 'tsx', 'bench/speed/bare-server.ts']);
  const sdk = await start(['--import', 'tsx', 'bench/speed/sdk-v1-server.ts']);
  const all = loadRows(aval, bare, sdk);
  const named = all.filter(row => row.name.includes(options.only));
  const rows = all.filter(row => named.includes(row) || named.some(({ against }) => against === row.name));
  const measured = new Map<LoadRow, Measurement[]>(rows.map(row => [row, []]));
  // For warmth.
  for (const row of rows) await measure(row, Math.min(SECONDS, 1));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const row of rows) measured.get(row)?.push(await measure(row, SECONDS));
    process.stderr.write(`round ${round}/${ROUNDS}\n`);
  }
  const memoryMb = Math.round(aval.residentMb());
  await Promise.all([aval, bare, sdk].map(server => server.stop()));
  return { residentMb: memoryMb, rows: rows.map(row => summary(row, measured)) };
}

/** Distinct questions never repeat; repeated ones come from the cache. */
function loadRows(aval: Child, bare: Child, sdk: Child): LoadRow[] {
  const distinct = distinctQuestions(20_000);
  const repeated = distinct.slice(0, 50);
  const ask = (query: string) => get(`/ask?q=${encodeURIComponent(query)}`);
  const call = (query: string) =>
    post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask_brand', arguments: { query } },
    });
  const ready = 'ready answer';
  const usual = 'SDK v1';
  return [
    { name: ready, child: bare, requests: repeated.map(ask) },
    { name: 'GET /ask, distinct', child: aval, requests: distinct.map(ask), against: ready },
    { name: 'GET /ask, repeated', child: aval, requests: repeated.map(ask), against: ready },
    { name: usual, child: sdk, requests: repeated.map(call) },
    { name: 'tools/call, distinct', child: aval, requests: distinct.map(call), against: usual },
    { name: 'tools/call, repeated', child: aval, requests: repeated.map(call), against: usual },
  ];
}

async function measure({ child, requests }: LoadRow, seconds: number): Promise<Measurement> {
  const before = child.cpuMicroseconds();
  const result = await load({ port: child.port, requests, connections: CONNECTIONS, seconds });
  return { ...result, cpuMicroseconds: (child.cpuMicroseconds() - before) / result.requests };
}

function summary(row: LoadRow, measured: ReadonlyMap<LoadRow, readonly Measurement[]>) {
  const { name, against } = row;
  const rounds = measured.get(row) ?? [];
  const other = [...measured].find(([candidate]) => candidate.name === against)?.[1];
  const ratios = rounds.map(({ perSecond }, round) => perSecond / (other?.[round]?.perSecond ?? Number.NaN));
  return {
    name,
    ...(other && { against, ratio: Number(median(ratios).toFixed(3)) }),
    perSecond: Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    cpuMicroseconds: Math.round(median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds))),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}
