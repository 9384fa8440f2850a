import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../test/support/folder.ts';
import { counted } from '../../test/support/support.ts';
import { start } from '../child.ts';
import { percentileMs } from '../figures.ts';
import { circumstances, keep, print } from '../result.ts';
import { addressOf, type Visit, visit } from './crowd.ts';

/**
 * `npm run bench -- load`: a thousand clients, each with an address and a connection of its own, ask, call tools, read documents and
 * send forms at a human pace; then as long again, while five hundred further sockets hold half-open and trickling requests.
 * A refusal (429, 503) is no answer: it is counted apart, and its time is not. Exit code 1 when anything else than 200 or a
 * refusal came, or when those sockets moved the others' p99 beyond twice.
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

/** Milliseconds and MB. */
interface Phase {
  readonly requests: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** At most. */
  readonly residentMb: number;
}

/** Until every visitor has come, and what is compiled on the way is compiled. */
const WARM_SECONDS = 3;

const answers: string[] = [];
let latencies: number[] = [];
let refused = 0;
let failed = 0;

const child = await start(['--enable-source-maps', '--max-semi-space-size=4', 'dist/server/main.js'], {
  PORT: '0',
  NODE_ENV: 'development',
  DATA_DIR: temporaryFolder(),
});
try {
  const untilMs = performance.now() + (WARM_SECONDS + 2 * seconds) * 1000;
  const crowd = visit({ port: child.port, clients, untilMs, onVisit: note });
  await watch(WARM_SECONDS);
  const calm = await watch(seconds);
  const slow = Array.from({ length: ATTACKERS }, (_, index) =>
    hold(child.port, addressOf(index, 2), untilMs),
  );
  const attacked = await watch(seconds);
  await Promise.all([crowd, ...slow]);
  report(calm, attacked);
} finally {
  await child.stop();
}

function note({ step, status, ms }: Visit): void {
  if (status === 200) latencies.push(ms);
  else if (status === 429 || status === 503) refused += 1;
  else failed += 1;
  answers.push(`${step} ${status === 0 ? 'no answer' : status}`);
}

async function watch(length: number): Promise<Phase> {
  latencies = [];
  const before = refused;
  let residentMb = 0;
  for (let second = 1; second <= length; second += 1) {
    await setTimeout(1000);
    residentMb = Math.max(residentMb, Math.round(child.residentMb()));
    if (process.stderr.isTTY) process.stderr.write(`\r${second} of ${length} s `);
  }
  const at = (share: number) => percentileMs(latencies, share);
  return {
    requests: latencies.length,
    refused: refused - before,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    residentMb,
  };
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
  const result = {
    ...circumstances(),
    ...{ clients, seconds, failed, calm, attackers: ATTACKERS, attacked },
    statuses: counted(answers.sort()),
  };
  print(JSON.stringify(result, null, 2));
  if (options.write) keep('load', result);
  process.exitCode = failed === 0 && attacked.p99Ms <= 2 * calm.p99Ms ? 0 : 1;
}
