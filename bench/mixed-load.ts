import { writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Child, start } from './child.ts';
import { distinctQuestions } from './questions.ts';
import { circumstances } from './rounds.ts';

/**
 * `npm run load`: a thousand clients, each with an address and a connection of its own, ask, call tools, read documents and
 * send forms at a human pace; in the second half five hundred further sockets hold half-open and trickling requests.
 * Prints the statuses, the latencies and the memory; exits 1 when an answer was not the one expected.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
});
const [clients, seconds] = [Number(values.clients), Number(values.seconds)];

/** What a client does next: a share of all requests, and the request itself. */
interface Step {
  readonly name: string;
  readonly share: number;
  readonly make: (n: number) => { method: 'GET' | 'POST'; path: string; body?: object };
}

const questions = distinctQuestions(20_000);
const question = (n: number) => questions[n % questions.length] ?? '';

const STEPS: readonly Step[] = [
  { name: '/ask', share: 0.55, make: n => ({ method: 'GET', path: `/ask?q=${encodeURIComponent(question(n))}` }) },
  {
    name: 'tools/call',
    share: 0.2,
    make: n => ({
      method: 'POST',
      path: '/mcp',
      body: {
        jsonrpc: '2.0',
        id: n,
        method: 'tools/call',
        params: { name: 'ask_brand', arguments: { query: question(n) } },
      },
    }),
  },
  { name: 'documents', share: 0.23, make: n => ({ method: 'GET', path: DOCUMENTS[n % DOCUMENTS.length] ?? '/' }) },
  {
    name: 'forms',
    share: 0.02,
    make: n => ({
      method: 'POST',
      path: '/api/v1/contact',
      body: {
        name: `Visitor ${n}`,
        email: `visitor-${n}@load.example`,
        company: 'Load',
        role: 'Tester',
        country: 'ES',
        context: `A request of the load test, number ${n}.`,
      },
    }),
  },
];

const DOCUMENTS = ['/', '/llms.txt', '/openapi.json', '/.well-known/brand.json', '/docs'];

/** A second of the run. */
interface Second {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMb: number;
}

const statuses = new Map<string, number>();
const latencies: number[] = [];
const duringAttack: number[] = [];
let [sent, isAttacked] = [0, false];

const child = await start(['--enable-source-maps', '--max-semi-space-size=8', 'dist/server/main.js'], {
  PORT: '0',
  NODE_ENV: 'development',
});
const series: Second[] = [];
let sinceSecond: number[] = [];
try {
  const until = performance.now() + seconds * 1000;
  const clock = watch(child, until);
  const crowd = Array.from({ length: clients }, (_, index) => visit(child.port, addressOf(index, 1), until));
  await setTimeout((seconds / 2) * 1000);
  isAttacked = true;
  const slow = Array.from({ length: 500 }, (_, index) => hold(child.port, addressOf(index, 2), until));
  await Promise.all([...crowd, ...slow, clock]);
} finally {
  await child.stop();
}
report();

/** An address of the loopback network for each client (127.0.0.0/8 is all ours). */
function addressOf(index: number, net: number): string {
  return `127.${net}.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

/** One client: a request every two seconds, its share of each step. */
async function visit(port: number, localAddress: string, until: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  await setTimeout(Math.random() * 2000);
  while (performance.now() < until) {
    sent += 1;
    const step = stepAt(Math.random());
    const begun = performance.now();
    const status = await send(port, agent, step.make(sent)).catch(() => 0);
    const ms = performance.now() - begun;
    (isAttacked ? duringAttack : latencies).push(ms);
    sinceSecond.push(ms);
    const key = `${step.name} ${status === 0 ? 'no answer' : status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    await setTimeout(1500 + Math.random() * 1000);
  }
  agent.destroy();
}

/** The shares laid end to end. */
function stepAt(point: number): Step {
  let end = 0;
  for (const step of STEPS) {
    end += step.share;
    if (point < end) return step;
  }
  return STEPS[0]!;
}

function send(port: number, agent: Agent, { method, path, body }: ReturnType<Step['make']>): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const outgoing = httpRequest(
      { port, host: '127.0.0.1', agent, method, path, headers },
      (answer: IncomingMessage) => {
        answer
          .resume()
          .once('end', () => resolve(answer.statusCode ?? 0))
          .once('error', reject);
      },
    );
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('no answer'))).once('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

/** Half of them stop in the middle of the headers, half send a byte of the body a second; closed ones come back. */
async function hold(port: number, localAddress: string, until: number): Promise<void> {
  while (performance.now() < until) {
    const socket = createConnection({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}).resume();
    const trickles = Math.random() < 0.5;
    socket.write(
      trickles
        ? 'POST /ask HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{'
        : 'GET /ask?q=a HTTP/1.1\r\nhost:',
    );
    await closed(socket, trickles, until);
  }
}

async function closed(socket: Socket, trickles: boolean, until: number): Promise<void> {
  while (!socket.destroyed && performance.now() < until) {
    await setTimeout(1000);
    if (trickles && socket.writable) socket.write(' ');
  }
  socket.destroy();
}

async function watch(server: Child, until: number): Promise<void> {
  while (performance.now() < until) {
    sinceSecond = [];
    await setTimeout(1000);
    const sorted = [...sinceSecond].sort((a, b) => a - b);
    series.push({
      requests: sorted.length,
      p50Ms: at(sorted, 0.5),
      p99Ms: at(sorted, 0.99),
      residentMb: server.residentMb(),
    });
    if (process.stderr.isTTY) process.stderr.write(`\r${series.length} of ${seconds} s`);
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(): void {
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  const [calm, attacked] = [sorted(latencies), sorted(duringAttack)];
  const unexpected = [...statuses].filter(([key]) => !key.endsWith(' 200')).reduce((sum, [, count]) => sum + count, 0);
  const result = {
    ...circumstances(),
    clients,
    seconds,
    requests: calm.length + attacked.length,
    unexpected,
    statuses: Object.fromEntries([...statuses].sort()),
    calm: { p50Ms: at(calm, 0.5), p99Ms: at(calm, 0.99) },
    attacked: { p50Ms: at(attacked, 0.5), p99Ms: at(attacked, 0.99) },
    series,
  };
  const { series: _, ...summary } = result;
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
  if (values.write) writeFileSync('bench/results/load.json', `${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = unexpected === 0 ? 0 : 1;
}
