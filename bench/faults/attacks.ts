import { renameSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { inventedProfile, rareQuestion, vocabulary } from './invented.ts';

/** What an attack is aimed at. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  readonly seconds: number;
  readonly claims: number;
  readonly brandFile: string;
}

/** Lasts `seconds`, from one address. Resolves with how much it did. */
type Attack = (target: Target) => Promise<number>;

const words = vocabulary();

/** Writes another revision of the profile, as a deployment does. */
export function publish({ brandFile, claims }: Pick<Target, 'brandFile' | 'claims'>, revision: number): void {
  writeFileSync(`${brandFile}.new`, JSON.stringify(inventedProfile(words, claims, revision)));
  renameSync(`${brandFile}.new`, brandFile);
}

/** The address of the attacker; Linux answers on the whole of 127.0.0.0/8. */
const FROM = '127.0.0.2';

export const ATTACKS: Readonly<Record<string, Attack>> = {
  // What the machine itself does to the bystander: the row to read the others against.
  nothing: ({ seconds }) => setTimeout(seconds * 1000, 0),
  'rare words at the limit': rareWords,
  'slow readers': slowReaders,
  pipelining,
  'valid forms': target => forms(target, VALID),
  'invalid forms': target => forms(target, 'name=x&email=nobody'),
  'huge forms': target => forms(target, 'a&'.repeat(32_000)),
  reloads,
  'CONNECT resets': connectResets,
  'spaces to redact': spacesToRedact,
  'commas in Accept': target => raw(target, 20, get(`Accept: ${','.repeat(31_000)}`)),
  '32000 headers': target => raw(target, 20, get('a:\r\n'.repeat(31_900).trimEnd())),
  '190 connections': target => raw(target, 190, get('Accept: text/html')),
  'names to resolve': target => raw(target, 20, mcp(`Origin: http://${'é'.repeat(15_000)}`)),
  'long messages': target => raw(target, 20, post('/mcp', 'application/json', LONG_MESSAGE)),
  'refused pages': target => raw(target, 20, get('Accept: text/html', '/forms/diagnostic')),
  'escapes in the path': target => raw(target, 20, get('Accept: text/html', `/${'%61'.repeat(10_000)}`)),
  'body in pieces': target => raw(target, 50, mcp(CHUNKED), PIECES),
  'short bodies in pieces': target => raw(target, 30, `${mcp(CHUNKED)}${SHORT_BODY}`.repeat(8)),
  'body after the answer': target => raw(target, 50, get(CHUNKED), PIECES),
};

const CHUNKED = 'Transfer-Encoding: chunked';

/** A body of one byte a chunk, without an end. */
const PIECES = '1\r\na\r\n'.repeat(10_000);

/** A body that ends: with others behind it, all are read at once. */
const SHORT_BODY = `${PIECES.slice(0, 6 * 1990)}0\r\n\r\n`;

/** Many small members: what costs most to parse. */
const LONG_MESSAGE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} },
  filling: Object.fromEntries(Array.from({ length: 6500 }, (_, index) => [index.toString(36), 0])),
});

const get = (header: string, path = '/') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\n\r\n`;

const mcp = (header: string) =>
  `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;

const post = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** The same bytes again on each connection as soon as an answer comes; a connection that is closed is opened anew. */
async function raw(target: Target, connections: number, head: string, body = ''): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  const bytes = Buffer.from(head, 'latin1');
  let sent = 0;
  const begin = () => {
    if (performance.now() > until) return;
    const socket = open(target.port).once('close', () => void setTimeout(5).then(begin));
    const send = () => {
      sent += 1;
      socket.write(bytes);
    };
    const press = () => {
      while (!socket.destroyed && performance.now() < until) if (!socket.write(body)) break;
    };
    if (body === '') socket.on('data', send);
    else socket.resume().on('drain', press);
    send();
    if (body !== '') press();
  };
  for (let count = 0; count < connections; count += 1) begin();
  await setTimeout(target.seconds * 1000);
  return sent;
}

/** What an earlier redaction cut for seconds, up to the limits of two surfaces; the server keeps what is asked. */
async function spacesToRedact(target: Target): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  let answered = 0;
  for (let round = 0; performance.now() < until; round += 1) {
    const queries = [`x${round}${'x'.repeat(660)}${' '.repeat(1330)}y`, `${round}${'字'.repeat(1900)}`];
    const sends = queries.flatMap(query => [
      send(target, '/ask', { query }),
      send(target, '/mcp', { ...CALL, params: { name: 'ask_brand', arguments: { query } } }),
    ]);
    answered += (await Promise.all(sends)).filter(status => status === 200).length;
    await setTimeout(20);
  }
  return answered;
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };

/** Sixty questions on each of three surfaces at once, as often as the minute allows. */
async function rareWords(target: Target): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  let answered = 0;
  const tell = (status: number) => {
    if (status === 200) answered += 1;
  };
  for (let round = 0; performance.now() < until; round += 1) {
    const sends = Array.from({ length: 60 }, (_, index) => {
      const query = rareQuestion(words, round * 60 + index);
      const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask_brand', arguments: { query } } };
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: query }] };
      const a2a = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
      return [send(target, '/ask', { query }), send(target, '/mcp', mcp), send(target, '/a2a', a2a)];
    });
    const asked = Promise.all(sends.flat().map(sent => sent.then(tell)));
    await Promise.race([asked, setTimeout(until - performance.now())]);
    await setTimeout(250);
  }
  return answered;
}

/** 2,000 sockets that ask for the largest document again and again and read nothing; those that are closed come back. */
async function slowReaders(target: Target): Promise<number> {
  const line = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(200);
  return holdOpen(target, 2000, socket => socket.pause().write(line));
}

/** 50 connections that send status requests without waiting for an answer, and read what comes. */
async function pipelining(target: Target): Promise<number> {
  const lines = 'GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000);
  return holdOpen(target, 50, socket => {
    const press = () => {
      while (!socket.destroyed && socket.writableLength < 1_000_000) if (!socket.write(lines)) break;
    };
    socket.resume().on('drain', press);
    press();
  });
}

const VALID = new URLSearchParams({
  name: 'Ana Ruiz',
  email: 'ana@conservas.example',
  company: 'Conservas',
  role: 'Directora',
  country: 'España',
  context: 'Vendemos en 300 tiendas y el margen baja.',
}).toString();

/** 20 forms at a time, each after the other. */
async function forms(target: Target, body: string): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  let sent = 0;
  const post = async () => {
    while (performance.now() < until) {
      await send(target, '/api/v1/contact', body);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, post));
  return sent;
}

/** Another profile a second, each with its SIGHUP: no stranger's attack, but an operator's mistake. */
async function reloads(target: Target): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  let revision = 0;
  while (performance.now() < until) {
    revision += 1;
    publish(target, revision);
    process.kill(target.pid, 'SIGHUP');
    await setTimeout(1000);
  }
  return revision;
}

async function connectResets(target: Target): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  let resets = 0;
  const reset = async () => {
    while (performance.now() < until) {
      const socket = open(target.port);
      socket.write('CONNECT a:1 HTTP/1.1\r\n\r\n');
      await Promise.race([new Promise(resolve => socket.once('readable', resolve)), setTimeout(50 * (resets % 3))]);
      socket.resetAndDestroy();
      resets += 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, reset));
  return resets;
}

/** Keeps so many sockets busy; one that is closed is replaced, up to 2,000 a second. */
async function holdOpen(target: Target, count: number, begin: (socket: Socket) => void): Promise<number> {
  const until = performance.now() + target.seconds * 1000;
  const sockets = new Set<Socket>();
  let opened = 0;
  while (performance.now() < until) {
    for (let missing = Math.min(count - sockets.size, 200); missing > 0; missing -= 1) {
      const socket = open(target.port);
      sockets.add(socket);
      opened += 1;
      socket.once('close', () => sockets.delete(socket));
      begin(socket);
    }
    await setTimeout(100);
  }
  for (const socket of sockets) socket.destroy();
  return opened;
}

function open(port: number): Socket {
  return createConnection({ host: '127.0.0.1', port, localAddress: FROM }).on('error', () => {});
}

/** Posts JSON, or a form where the body is text. Resolves with the status, or 0 where there was none. */
function send({ port }: Target, path: string, body: object | string): Promise<number> {
  const isForm = typeof body === 'string';
  const headers = {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    'a2a-version': '1.0',
  };
  return new Promise(resolve => {
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers, localAddress: FROM, agent: false };
    const sent = httpRequest(options, response => {
      response
        .resume()
        .once('end', () => resolve(response.statusCode ?? 0))
        .once('error', () => resolve(0));
    });
    sent.once('error', () => resolve(0));
    sent.end(isForm ? body : JSON.stringify(body));
  });
}
