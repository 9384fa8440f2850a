import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { ROOT } from '../test/support.ts';
import { type Child, start } from './child.ts';
import { get, type LoadResult, load, post } from './load.ts';
import { distinctQuestions } from './questions.ts';

/**
 * Requests per second, interleaved: every round measures every case once, so that a machine that slows down slows all.
 * usage: npm run bench -- [--rounds N] [--seconds S] [--quick]
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};
const quick = process.argv.includes('--quick');
const ROUNDS = option('--rounds', quick ? 1 : 5);
const SECONDS = option('--seconds', quick ? 0.5 : 2);
const CONNECTIONS = 50;

interface Case {
  readonly name: string;
  readonly child: Child;
  readonly requests: readonly Buffer[];
}

const ENV = { PORT: '0', LIMIT_DEFAULT: '9999999/1', NODE_ENV: 'development' };
const note = (line: string) => process.stderr.write(`${line}\n`);

const aval = await start(['dist/server/main.js'], ENV);
const echo = await start(['--import', 'tsx', 'bench/echo-server.ts']);
const sdk = await start(['--import', 'tsx', 'bench/sdk-v1-server.ts']);

const questions = distinctQuestions(20_000);
const repeated = questions.slice(0, 50);
const ask = (query: string) => ({ name: 'ask_brand', arguments: { query } });
const call = (query: string, id: number) =>
  post('/mcp', { jsonrpc: '2.0', id, method: 'tools/call', params: ask(query) });
const asGet = (query: string) => get(`/ask?q=${encodeURIComponent(query)}`);
const asPost = (query: string) => post('/ask', { query });

const CASES: readonly Case[] = [
  { name: 'raw node:http echo, GET', child: echo, requests: repeated.map(asGet) },
  { name: 'raw node:http echo, POST', child: echo, requests: repeated.map(asPost) },
  { name: 'GET /ask, distinct', child: aval, requests: questions.map(asGet) },
  { name: 'GET /ask, repeated', child: aval, requests: repeated.map(asGet) },
  { name: 'POST /ask, distinct', child: aval, requests: questions.map(asPost) },
  { name: 'POST /ask, repeated', child: aval, requests: repeated.map(asPost) },
  { name: 'tools/call, distinct', child: aval, requests: questions.map(call) },
  { name: 'tools/call, repeated', child: aval, requests: repeated.map(call) },
  { name: 'SDK v1 a server a request, tools/call, distinct', child: sdk, requests: questions.map(call) },
  { name: 'SDK v1 a server a request, tools/call, repeated', child: sdk, requests: repeated.map(call) },
];

const measured = new Map<string, { result: LoadResult; cpu: number }[]>(CASES.map(({ name }) => [name, []]));
for (const { child, requests } of CASES)
  await load({ port: child.port, requests, connections: CONNECTIONS, seconds: SECONDS });
for (let round = 1; round <= ROUNDS; round += 1) {
  for (const { name, child, requests } of CASES) {
    const before = child.cpuMicroseconds();
    const result = await load({ port: child.port, requests, connections: CONNECTIONS, seconds: SECONDS });
    measured.get(name)?.push({ result, cpu: (child.cpuMicroseconds() - before) / result.requests });
    note(`round ${round}/${ROUNDS}  ${name}: ${Math.round(result.perSecond)}/s`);
  }
}
await Promise.all([aval, echo, sdk].map(child => child.stop()));

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rows = CASES.map(({ name }) => {
  const rounds = measured.get(name) ?? [];
  const pick = (of: (round: { result: LoadResult; cpu: number }) => number) => median(rounds.map(of));
  return {
    name,
    perSecond: Math.round(pick(({ result }) => result.perSecond)),
    cpuMicroseconds: Math.round(pick(({ cpu }) => cpu)),
    p50Ms: Number(pick(({ result }) => result.p50Ms).toFixed(1)),
    p99Ms: Number(pick(({ result }) => result.p99Ms).toFixed(1)),
  };
});

const resident = await residentOverRequests(quick ? 10_000 : 100_000);
const readyMs = Math.round(median(await startTimes(quick ? 1 : 5)));
const machine = `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
const report = {
  date: new Date().toISOString().slice(0, 10),
  machine,
  rounds: ROUNDS,
  seconds: SECONDS,
  rows,
  readyMs,
  resident,
};
mkdirSync(`${ROOT}bench/results`, { recursive: true });
if (!quick) writeFileSync(`${ROOT}bench/results/bench.json`, `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);

/** Resident memory, MB, after 10 %, 40 %, 70 % and all of `count` distinct questions. */
async function residentOverRequests(count: number): Promise<{ requests: number; mb: number }[]> {
  const child = await start(['dist/server/main.js'], ENV);
  const points = [];
  let sent = 0;
  for (const share of [0.1, 0.4, 0.7, 1]) {
    const maxRequests = Math.round(count * share) - sent;
    sent += maxRequests;
    await load({
      port: child.port,
      requests: questions.map(asGet),
      connections: CONNECTIONS,
      seconds: 60,
      maxRequests,
    });
    points.push({ requests: sent, mb: Math.round(child.residentMb()) });
  }
  await child.stop();
  return points;
}

async function startTimes(count: number): Promise<number[]> {
  const times = [];
  for (let run = 0; run < count; run += 1) {
    const child = await start(['dist/server/main.js'], ENV);
    times.push(child.readyMs);
    await child.stop();
  }
  return times;
}
