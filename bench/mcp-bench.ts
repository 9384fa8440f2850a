import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { ROOT } from '../test/support.ts';
import { type Child, start } from './child.ts';
import { load } from './load.ts';
import { type McpCase, mcpCases } from './mcp-cases.ts';
import { crowd } from './mcp-crowd.ts';

/**
 * MCP over HTTP with retrieval excluded: every server gives the same stub answer. Interleaved: each round measures every
 * case once, and ratios are taken within a round, so that a machine that slows down slows all of them.
 * usage: npm run bench:mcp [-- --rounds N --seconds S --no-peers --write]
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    peers: { type: 'boolean', default: true },
    write: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const CONNECTIONS = 16;
const PEERS = { 'FastMCP, stateless': ['fastmcp', '4.20.16'], 'mcp-lite': ['mcp-lite', '0.10.0'] } as const;

const note = (text: string) => process.stderr.write(`${text}\n`);
const tsx = (...script: string[]) => start(['--import', 'tsx', '--max-semi-space-size=8', ...script]);

const folder = mkdtempSync(join(tmpdir(), 'aval-bench-mcp-'));
const aval = await tsx('bench/mcp-aval-server.ts');
const servers: Record<string, Child> = {
  'raw echo': await tsx('bench/echo-server.ts'),
  aval,
  'SDK v1, a server a request': await tsx('bench/sdk-v1-server.ts', 'stub'),
  'SDK v2, createMcpHandler': await tsx('bench/mcp-sdk-v2-server.ts'),
  ...(options.peers ? await startPeers() : {}),
};
const table = mcpCases(servers);
for (const row of table) await measure(row, Math.min(SECONDS, 1));
const rounds: Map<McpCase, Measurement>[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const measured = new Map<McpCase, Measurement>();
  for (const row of table) measured.set(row, await measure(row, SECONDS));
  rounds.push(measured);
  note(`round ${round}/${ROUNDS}`);
}

const report = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  rounds: ROUNDS,
  seconds: SECONDS,
  connections: CONNECTIONS,
  rows: table.map(summary),
  resident: await residentMemory([50_000, 100_000, 200_000, 300_000]),
  crowd: await crowd({ port: aval.port, request: callRequest(), slow: 500, others: 500, everyMs: 500, seconds: 5 }),
  stdioMs: await stdioStart(7),
};
await Promise.all(Object.values(servers).map(server => server.stop()));
rmSync(folder, { recursive: true, force: true });
if (options.write) {
  mkdirSync(`${ROOT}bench/results`, { recursive: true });
  writeFileSync(`${ROOT}bench/results/mcp.json`, `${JSON.stringify(report, null, 2)}\n`);
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);

interface Measurement {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p99Ms: number;
}

/** FastMCP and mcp-lite, from a folder of their own; without those that cannot be had. */
async function startPeers(): Promise<Record<string, Child>> {
  const started: Record<string, Child> = {};
  for (const [label, [name, version]] of Object.entries(PEERS)) {
    try {
      const packages = ['--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
      execFileSync('npm', ['install', '--prefix', folder, ...packages], { stdio: 'ignore' });
      started[label] = await tsx('bench/mcp-peer-server.ts', name, folder);
    } catch (error) {
      note(`without ${name} ${version}: ${error instanceof Error ? error.message.split('\n', 2).join(' ') : error}`);
    }
  }
  return started;
}

async function measure({ child, requests }: McpCase, seconds: number): Promise<Measurement> {
  const before = child.cpuMicroseconds();
  const result = await load({ port: child.port, requests, connections: CONNECTIONS, seconds });
  return { ...result, cpuMicroseconds: (child.cpuMicroseconds() - before) / result.requests };
}

/** Medians of a case; its throughput as a share of the raw echo, and as a multiple of SDK v1 for the same message. */
function summary(row: McpCase) {
  const { server, message } = row;
  const plain = message.replace(', 2026-07-28', '');
  const v1 = table.find(other => other.server.startsWith('SDK v1') && other.message === plain);
  const of = (pick: (measurement: Measurement) => number) => median(rounds.map(round => figure(round, row, pick)));
  const ratioTo = (other: McpCase | undefined) =>
    other && Number(median(rounds.map(round => figure(round, row, rate) / figure(round, other, rate))).toFixed(2));
  return {
    server,
    message,
    perSecond: Math.round(of(rate)),
    cpuMicroseconds: Math.round(of(({ cpuMicroseconds }) => cpuMicroseconds)),
    p99Ms: Number(of(({ p99Ms }) => p99Ms).toFixed(1)),
    ofEcho: ratioTo(table[0]),
    timesSdkV1: ratioTo(v1),
  };
}

function rate({ perSecond }: Measurement): number {
  return perSecond;
}

function figure(round: ReadonlyMap<McpCase, Measurement>, row: McpCase, pick: (m: Measurement) => number): number {
  const measurement = round.get(row);
  return measurement ? pick(measurement) : Number.NaN;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function callRequest(): Buffer {
  return table.find(row => row.server === 'aval' && row.message === 'tools/call')?.requests[0] ?? Buffer.alloc(0);
}

/** Resident memory of one new process after so many calls in all. */
async function residentMemory(counts: readonly number[]): Promise<{ requests: number; mb: number }[]> {
  const child = await tsx('bench/mcp-aval-server.ts');
  const requests = mcpCases({ aval: child }).find(({ message }) => message === 'tools/call')?.requests ?? [];
  const points = [];
  let sent = 0;
  for (const count of counts) {
    const limit = { seconds: 120, maxRequests: count - sent };
    sent += (await load({ port: child.port, requests, connections: CONNECTIONS, ...limit })).requests;
    points.push({ requests: count, mb: Math.round(child.residentMb()) });
  }
  await child.stop();
  return points;
}

/** Median of the time from spawn to the first byte of the answer to `initialize`, milliseconds. */
async function stdioStart(count: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, ['dist/server/cli.js', 'stdio'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
    await once(child.stdout, 'data');
    times.push(performance.now() - started);
    await once(child, 'exit');
  }
  return Math.round(median(times));
}
