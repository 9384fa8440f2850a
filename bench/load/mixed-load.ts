import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { start } from '../child.ts';
import { circumstances } from '../rounds.ts';
import { ascending, percentile } from './bystander.ts';
import { addressOf, type Visit, visit } from './crowd.ts';

/**
 * `npm run bench -- load`: a thousand clients, each with an address and a connection of its own, ask, call tools, read documents and
 * send forms at a human pace; then as long again, while five hundred further sockets hold half-open and trickling requests.
 * Exit code 1 when an answer was not 200, or when those sockets moved the others' p99 beyond twice.
 */
const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
});
const [clients, seconds] = [Number(options.clients), Number(options.seconds)];
const ATTACKERS = 500;

/** A second of the run. Milliseconds and MB. */
interface Second {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMb: number;
}

interface Phase {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly series: readonly Second[];
}

/** Until every visitor has come, and what is compiled on the way is compiled. */
const WARM_SECONDS = 3;

const statuses = new Map<string, number>();
let latencies: number[] = [];

const folder = mkdtempSync(join(tmpdir(), 'aval-load-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const child = await start(['--enable-source-maps', '--max-semi-space-size=8', 'dist/server/main.js'], {
  PORT: '0',
  NODE_ENV: 'development',
  DATA_DIR: folder,
});
try {
  const untilMs = performance.now() + (WARM_SECONDS + 2 * seconds) * 1000;
  const crowd = visit({ port: child.port, clients, untilMs, onVisit: note });
  await watch(WARM_SECONDS);
  const calm = await watch(seconds);
  const slow = Array.from({ length: ATTACKERS }, (_, index) => hold(child.port, addressOf(index, 2), untilMs));
  const attacked = await watch(seconds);
  await Promise.all([crowd, ...slow]);
  report(calm, attacked);
} finally {
  await child.stop();
}

function note({ step, status, ms }: Visit): void {
  latencies.push(ms);
  const key = `${step} ${status === 0 ? 'no answer' : status}`;
  statuses.set(key, (statuses.get(key) ?? 0) + 1);
}

async function watch(length: number): Promise<Phase> {
  latencies = [];
  const series: Second[] = [];
  for (let done = 0; series.length < length; done = latencies.length) {
    await setTimeout(1000);
    series.push({ ...spread(latencies.slice(done)), residentMb: Math.round(child.residentMb()) });
    if (process.stderr.isTTY) process.stderr.write(`\r${series.length} of ${length} s `);
  }
  return { ...spread(latencies), series };
}

function spread(values: readonly number[]) {
  const sorted = ascending(values);
  const at = (share: number) => Math.round(percentile(sorted, share) * 10) / 10;
  return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Half of them stop in the middle of the headers, half send a byte of the body a second; closed ones come back. */
async function hold(port: number, localAddress: string, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const socket = createConnection({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}).resume();
    const trickles = Math.random() < 0.5;
    socket.write(
      trickles
        ? 'POST /ask HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{'
        : 'GET /ask?q=a HTTP/1.1\r\nhost:',
    );
    await closed(socket, trickles, untilMs);
  }
}

async function closed(socket: Socket, trickles: boolean, untilMs: number): Promise<void> {
  while (!socket.destroyed && performance.now() < untilMs) {
    await setTimeout(1000);
    if (trickles && socket.writable) socket.write(' ');
  }
  socket.destroy();
}

function report(calm: Phase, attacked: Phase): void {
  const unexpected = [...statuses].filter(([key]) => !key.endsWith(' 200')).reduce((sum, [, count]) => sum + count, 0);
  const result = {
    ...circumstances(),
    ...{ clients, seconds, unexpected, calm, attackers: ATTACKERS, attacked },
    statuses: Object.fromEntries([...statuses].sort()),
  };
  const summary = JSON.stringify(result, (key, value) => (key === 'series' ? undefined : value), 2);
  process.stdout.write(`${summary}\n`);
  if (options.write) writeFileSync('bench/results/load.json', `${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = unexpected === 0 && attacked.p99Ms <= 2 * calm.p99Ms ? 0 : 1;
}
