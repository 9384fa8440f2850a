import { createConnection } from 'node:net';
import { percentileMs } from '../figures.ts';

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Load {
  readonly port: number;
  /** Whole HTTP/1.1 requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Keeps `connections` sockets busy, one request each at a time, and counts whole answers.
 * Bare sockets, because an HTTP client costs more than the servers it would measure.
 * @throws Error when a server answers anything but 200
 */
export async function load({ port, requests, connections, seconds }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let next = Math.floor(Math.random() * requests.length);
  const started = performance.now();
  const until = started + seconds * 1000;

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1');
      const answer = new AnswerReader();
      let sent = 0;
      const send = () => {
        if (performance.now() >= until) return void socket.end();
        next = (next + 1) % requests.length;
        sent = performance.now();
        socket.write(requests[next] ?? '');
      };
      socket.setNoDelay(true);
      socket
        .on('connect', send)
        .on('error', reject)
        .on('close', () => resolve());
      socket.on('data', chunk => {
        if (!answer.read(chunk)) return;
        if (answer.status !== 200) {
          reject(new Error(`answered ${answer.status}: ${answer.text.slice(0, 300)}`));
          socket.destroy();
          return;
        }
        latencies.push(performance.now() - sent);
        send();
      });
    });
  const letSleep = keepAwake();
  await Promise.all(Array.from({ length: connections }, connection)).finally(letSleep);

  const elapsed = (performance.now() - started) / 1000;
  const p50Ms = percentileMs(latencies, 0.5);
  const p99Ms = percentileMs(latencies, 0.99);
  return { requests: latencies.length, perSecond: latencies.length / elapsed, p50Ms, p99Ms };
}

/**
 * Polls the sockets instead of sleeping on them: to wake a core of a virtual machine that has gone idle costs
 * more than a request, and would be charged to the server whose write wakes it, the slower server more.
 * @returns what ends it
 */
function keepAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}

/** Finds the end of one HTTP/1.1 answer, with Content-Length or chunked. */
class AnswerReader {
  status = 0;
  text = '';
  #missing = -1;
  #chunked = false;

  /** @returns whether the answer is complete */
  read(chunk: Buffer): boolean {
    if (this.#missing < 0 && !this.#chunked) {
      this.text += chunk.toString('latin1');
      const end = this.text.indexOf('\r\n\r\n');
      if (end < 0) return false;
      this.status = Number(this.text.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(this.text.slice(0, end))?.[1];
      if (length === undefined) this.#chunked = true;
      else this.#missing = Number(length) - (this.text.length - end - 4);
    } else if (this.#chunked) this.text += chunk.toString('latin1');
    else this.#missing -= chunk.length;
    const done = this.#chunked ? this.text.endsWith('\r\n0\r\n\r\n') : this.#missing <= 0;
    if (done) this.#reset();
    return done;
  }

  #reset(): void {
    if (this.status === 200) this.text = '';
    this.#missing = -1;
    this.#chunked = false;
  }
}

export function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n`);
}

export function post(path: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json, text/event-stream',
    'content-type: application/json',
    'mcp-protocol-version: 2025-06-18',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}
