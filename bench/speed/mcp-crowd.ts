import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

interface Crowd {
  readonly port: number;
  readonly request: Buffer;
  /** Connections that finish no request, and connections that send one every `everyMs`. */
  readonly slow: number;
  readonly others: number;
  readonly everyMs: number;
  readonly seconds: number;
}

/**
 * Latency of well-behaved connections while as many others are silent or stop in the middle of a request.
 * Paced, and from bare sockets: the figure is the server's, not that of a queue in front of it.
 */
export async function crowd({ port, request, slow, others, everyMs, seconds }: Crowd) {
  const starts = [0, 40, request.length - 20];
  const silent = await Promise.all(
    Array.from({ length: slow }, async (_, index) => {
      const socket = await connect(port);
      socket.on('error', () => {}).resume();
      socket.write(request.subarray(0, starts[index % starts.length]));
      return socket;
    }),
  );
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: others }, async () => {
      const socket = await connect(port);
      await setTimeout(Math.random() * everyMs);
      while (performance.now() < until) {
        latencies.push(await roundTrip(socket, request));
        await setTimeout(everyMs);
      }
      socket.destroy();
    }),
  );
  for (const socket of silent) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { requests: latencies.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function connect(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    socket.setNoDelay(true);
  });
}

/** Milliseconds until the last byte. @throws Error when the connection closes, or the answer is no 200 */
function roundTrip(socket: Socket, request: Buffer): Promise<number> {
  const sent = performance.now();
  let received = '';
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error(`closed after ${received.slice(0, 200)}`));
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      if (end < 0 || received.length < end + 4 + length) return;
      socket.off('data', onData).off('close', onClose);
      if (received.startsWith('HTTP/1.1 200')) resolve(performance.now() - sent);
      else reject(new Error(received.slice(0, 200)));
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(request);
  });
}
