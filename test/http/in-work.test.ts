import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createTurns } from '../../server/http/in-work.ts';
import { PARTNER, startForms } from '../support/submission-support.ts';
import { receive, type Sending } from './receive.ts';

const ADDRESS = '127.0.5.1';
const OTHER_ADDRESS = '127.0.5.2';
const WEBSITE = 'https://website.example';

/** A question whose body never ends. */
async function slowQuestion(t: TestContext, url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: ADDRESS });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    'POST /ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{',
  );
  return socket;
}

const statusFrom = async (url: string, localAddress: string) =>
  (await receive(`${url}/api/v1/status`, { localAddress })).status;

function post(url: string, body: object, headers: Sending['headers'] = {}) {
  return receive(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    localAddress: ADDRESS,
  });
}

/** A server that has 200 requests of one address in work: as many as it takes. */
async function startCrowded(t: TestContext) {
  const env = { LIMITS: 'default=1000/60', ALLOWED_ORIGINS: WEBSITE };
  // However long it takes until all two hundred are there, none of them is timed out.
  const timeouts = { headersTimeout: 600_000, requestTimeout: 600_000 };
  const crowd: Socket[] = [];
  // Before the server ends: it would wait for their requests.
  t.after(() => crowd.map(socket => socket.destroy()));
  const { url } = await startForms(t, { env, timeouts });
  crowd.push(...(await Promise.all(Array.from({ length: 200 }, () => slowQuestion(t, url)))));
  // The last bytes are on their way.
  while ((await statusFrom(url, ADDRESS)) === 200) await setTimeout(20);
  return { url, crowd };
}

describe('two hundred requests of one client at the same time', () => {
  it('are all that it gets: 429 with Retry-After, the connection is closed, and nobody else waits', async t => {
    const { url } = await startCrowded(t);
    const keepAlive = { connection: 'keep-alive' };
    const { status, headers, json } = await post(`${url}/api/v1/partners`, PARTNER, keepAlive);
    assert.deepEqual([status, json.code], [429, 'rate_limited']);
    assert.deepEqual([headers.get('retry-after'), headers.get('connection')], ['1', 'close']);
    assert.match(headers.get('ratelimit-policy') ?? '', /q=1000;w=60/);
    assert.equal(await statusFrom(url, OTHER_ADDRESS), 200);
  });

  it('leave a refusal that a page of an allowed origin can read', async t => {
    const { url } = await startCrowded(t);
    for (const path of ['/api/v1/contact', '/mcp', '/ask']) {
      const { status, headers } = await post(`${url}${path}`, {}, { origin: WEBSITE });
      assert.equal(status, 429, path);
      assert.ok([WEBSITE, '*'].includes(headers.get('access-control-allow-origin') ?? ''), path);
      assert.match(headers.get('access-control-expose-headers') ?? '', /Retry-After/, path);
    }
  });

  it('leave a refusal in JSON-RPC at /mcp and /a2a', async t => {
    const { url } = await startCrowded(t);
    for (const path of ['/mcp', '/a2a']) {
      const { status, json } = await post(`${url}${path}`, { jsonrpc: '2.0', id: 1, method: 'ping' });
      assert.deepEqual([status, json.jsonrpc, json.error?.code], [429, '2.0', -32000], path);
    }
  });

  it('leave no place behind when they are cut off', async t => {
    const { url, crowd } = await startCrowded(t);
    for (const socket of crowd) socket.destroy();
    while ((await statusFrom(url, ADDRESS)) !== 200) await setTimeout(20);
  });
});

/** A connection that is open before anything is sent over it. */
async function connectFrom(t: TestContext, url: string, localAddress: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket.resume();
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;

describe('requests that arrive at the same time', () => {
  it('begin one by one, the clients in turn: another client does not wait for all of a crowd', async t => {
    const { url, lines } = await startForms(t);
    const crowd = await Promise.all(Array.from({ length: 50 }, () => connectFrom(t, url, ADDRESS)));
    const visitor = await connectFrom(t, url, OTHER_ADDRESS);
    for (const socket of crowd) socket.write(get('/llms.txt'));
    visitor.write(get('/AGENTS.md'));
    await Promise.all([...crowd, visitor].map(socket => once(socket, 'data')));
    const routes = lines.filter(({ event }) => event === 'request').map(({ route }) => route);
    assert.equal(routes.length, 51);
    assert.ok(routes.indexOf('/AGENTS.md') <= 5, 'the visitor waited for the whole crowd');
  });

  it('are handled in turn too, where their bodies end at the same time', async t => {
    const { url, lines } = await startForms(t);
    const crowd = await Promise.all(Array.from({ length: 50 }, () => slowQuestion(t, url)));
    const visitor = await connectFrom(t, url, OTHER_ADDRESS);
    // The client's own next request begins when all of the crowd have begun.
    await statusFrom(url, ADDRESS);
    for (const socket of crowd) socket.write(`${' '.repeat(88)}}`);
    visitor.write(get('/AGENTS.md'));
    await Promise.all([...crowd, visitor].map(socket => once(socket, 'data')));
    const routes = lines.filter(({ event }) => event === 'request').map(({ route }) => route);
    assert.equal(routes.length, 52);
    assert.ok(routes.indexOf('/AGENTS.md') <= 6, 'the visitor waited for the whole crowd');
  });

  it('end with their connections, where clients send thousands and wait for no answer: those of the client with most', () => {
    const turn = createTurns();
    const arrive = (client: string) => {
      const socket = new Socket();
      void turn(client, new IncomingMessage(socket));
      return socket;
    };
    const crowd = Array.from({ length: 2002 }, () => arrive('crowd'));
    const visitor = arrive('visitor');
    assert.deepEqual([crowd.filter(({ destroyed }) => destroyed).length, visitor.destroyed], [2, false]);
    const others = Array.from({ length: 900 }, (_, number) => arrive(`other ${number % 9}`));
    assert.deepEqual(
      [crowd.filter(({ destroyed }) => destroyed).length, others.filter(({ destroyed }) => destroyed).length],
      [902, 0],
    );
  });

  it('in work always get their next turn, so that their place is given back: beside thousands of others, and once their connection has ended', async () => {
    const turn = createTurns();
    const arrive = () => new IncomingMessage(new Socket());
    const [inWork, gone] = [arrive(), arrive()];
    for (let sent = 0; sent < 2001; sent += 1) void turn('client', arrive());
    const next = [turn('client', inWork, true), turn('client', gone, true)];
    gone.destroy();
    await once(gone, 'close');
    await Promise.all(next);
    assert.equal(inWork.socket.destroyed, false);
  });

  it('are dropped, where their client has gone before their turn', async () => {
    const turn = createTurns();
    const arrive = () => new IncomingMessage(new Socket());
    const begun: string[] = [];
    const gone = arrive();
    const begin = (name: string, request = arrive()) => turn('client', request).then(() => begun.push(name));
    const all = [begin('first'), begin('second')];
    void begin('gone', gone);
    all.push(begin('last'));
    gone.destroy();
    await once(gone, 'close');
    await Promise.all(all);
    assert.deepEqual(begun, ['first', 'second', 'last']);
  });
});
