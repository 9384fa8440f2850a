import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { ROOT } from '../../test/support.ts';
import { type Child, start } from '../child.ts';
import { circumstances, measureRounds, median, medianOf, medianRatio, residentMemory } from '../rounds.ts';
import { type McpCase, mcpCases } from './mcp-cases.ts';
import { crowd } from './mcp-crowd.ts';

/**
 * MCP over HTTP with retrieval excluded: every server gives the same stub answer. Interleaved: each round measures every
 * case once, and ratios are taken within a round, so that a machine that slows down slows all of them.
 * usage: npm run bench -- mcp [--rounds N --seconds S --no-peers --write]
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
const PLAN = { rounds: Number(options.rounds), seconds: Number(options.seconds), connections: 16 };
const PEERS = { 'FastMCP, stateless': ['fastmcp', '4.20.16'], 'mcp-lite': ['mcp-lite', '0.10.0'] } as const;

const note = (text: string) => process.stderr.write(`${text}\n`);
const tsx = (...script: string[]) => start(['--import', 'tsx', '--max-semi-space-size=8', ...script]);

const folder = mkdtempSync(join(tmpdir(), 'aval-bench-mcp-'));
const aval = await tsx('bench/speed/mcp-aval-server.ts');
const servers: Record<string, Child> = {
  'raw echo': await tsx('bench/speed/echo-server.ts'),
  aval,
  'SDK v1, a server a request': await tsx('bench/speed/sdk-v1-server.ts', 'stub'),
  'SDK v2, createMcpHandler': await tsx('bench/speed/mcp-sdk-v2-server.ts'),
  ...(options.peers ? await startPeers() : {}),
};
const table = mcpCases(servers);
const rounds = await measureRounds(table, PLAN, round => note(`round ${round}/${PLAN.rounds}`));

const report = {
  ...circumstances(),
  ...PLAN,
  rows: table.map(summary),
  resident: await memory([50_000, 100_000, 200_000, 300_000]),
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

/** FastMCP and mcp-lite, from a folder of their own; without those that cannot be had. */
async function startPeers(): Promise<Record<string, Child>> {
  const started: Record<string, Child> = {};
  for (const [label, [name, version]] of Object.entries(PEERS)) {
    try {
      const packages = ['--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
      execFileSync('npm', ['install', '--prefix', folder, ...packages], { stdio: 'ignore' });
      started[label] = await tsx('bench/speed/mcp-peer-server.ts', name, folder);
    } catch (error) {
      note(`without ${name} ${version}: ${error instanceof Error ? error.message.split('\n', 2).join(' ') : error}`);
    }
  }
  return started;
}

/** Medians of a case; its throughput as a share of the raw echo, and as a multiple of SDK v1 for the same message. */
function summary(row: McpCase) {
  const { server, message } = row;
  const [echo] = table;
  const plain = message.replace(', 2026-07-28', '');
  const v1 = table.find(other => other.server.startsWith('SDK v1') && other.message === plain);
  const ratioTo = (other: McpCase | undefined) => other && Number(medianRatio(rounds, row, other).toFixed(2));
  return {
    server,
    message,
    perSecond: Math.round(medianOf(rounds, row, 'perSecond')),
    cpuMicroseconds: Math.round(medianOf(rounds, row, 'cpuMicroseconds')),
    p99Ms: Number(medianOf(rounds, row, 'p99Ms').toFixed(1)),
    ofEcho: ratioTo(echo),
    timesSdkV1: ratioTo(v1),
  };
}

function callRequest(): Buffer {
  return table.find(row => row.server === 'aval' && row.message === 'tools/call')?.requests[0] ?? Buffer.alloc(0);
}

/** Of one new process, after so many calls in all. */
async function memory(counts: readonly number[]) {
  const child = await tsx('bench/speed/mcp-aval-server.ts');
  const requests = mcpCases({ aval: child }).find(({ message }) => message === 'tools/call')?.requests ?? [];
  const points = await residentMemory({ child, requests }, counts, PLAN.connections);
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
