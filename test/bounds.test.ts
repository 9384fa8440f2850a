// contract: 7.1, 8.2
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { createConnection, Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { toNodeHandler } from 'h3';
import { visitOf } from '../rest/visit.ts';
import { createApp } from '../server/app.ts';
import type { ClientKey } from '../server/connections/client-key.ts';
import { createListener } from '../server/connections/listener.ts';
import { createMemoryLimiter } from '../server/limits/memory-limiter.ts';
import { createMeter, type Meter } from '../server/limits/meter.ts';
import { DIAGNOSTIC } from './submission-support.ts';
import { exampleBrand, exchange, post, startApp } from './support.ts';

const statusOf = (received: string) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];

describe('what a stranger sends costs no more than its bound', () => {
  it('an Accept, Accept-Language or If-None-Match of 31,000 characters counts as none', async t => {
    const { url } = await startApp(t);
    const plain = await fetch(url);
    const etag = plain.headers.get('etag') ?? '';
    const spanish = await fetch(url, {
      headers: { 'accept-language': `es${','.repeat(31_000)}`, accept: 'text/html' },
    });
    assert.equal(spanish.headers.get('content-language'), plain.headers.get('content-language'));
    const tagged = await fetch(url, { headers: { 'if-none-match': `${etag}${','.repeat(31_000)}` } });
    assert.equal(tagged.status, 200);
    const long = await fetch(`${url}/ask?q=precio`, { headers: { accept: `text/html,${','.repeat(31_000)}` } });
    assert.match(long.headers.get('content-type') ?? '', /json/);
    const short = await fetch(`${url}/ask?q=precio`, { headers: { accept: `text/html,${','.repeat(900)}` } });
    assert.match(short.headers.get('content-type') ?? '', /html/);
  });

  it('a ?lang= of 30,000 letters is read as its first 35', () => {
    const request = new IncomingMessage(new Socket());
    request.url = `/forms/ask?lang=${'a'.repeat(30_000)}`;
    assert.equal(visitOf(request).lang, 'a'.repeat(35));
  });

  it('a path that is longer than any of ours is not taken apart: nobody decodes it, and it is not found', async t => {
    const { url } = await startApp(t);
    const status = async (path: string) => statusOf(await exchange(url, [`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`]));
    // A short one is decoded, and refused for it.
    assert.deepEqual(await Promise.all([status('/%zz'), status('/%zz'.repeat(7000))]), ['400', '404']);
  });

  it('an Origin or Host that is longer than any name is refused unread', async t => {
    const { url } = await startApp(t);
    const long = `${'a.'.repeat(200)}localhost`;
    const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers: { origin: `http://${long}` } });
    assert.equal(mcp.status, 403);
    const short = await fetch(`${url}/mcp`, { method: 'POST', headers: { origin: 'http://a.localhost' } });
    assert.equal(short.status, 400);
  });

  it('a chunked body in hundreds of pieces is cut off, and one that goes on after its answer', async t => {
    const { url } = await startApp(t);
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const pieces = (count: number) => '1\r\n \r\n'.repeat(count);
    assert.equal(await exchange(url, [head('POST /ask'), pieces(257)]).catch(() => ''), '');
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.resume().write(head('GET /nothing'));
    const sending = setInterval(() => socket.write(pieces(10)), 10);
    await new Promise(resolve => socket.once('close', resolve));
    clearInterval(sending);
  });

  it('a streamed body or form of 64 KB passes in chunks of 1 KB, one after the other on one connection', async t => {
    const { url } = await startApp(t);
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const stream = (body: string) =>
      [...body.matchAll(/.{1,1024}/gs)].map(([chunk]) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    const question = `{"query":"precio"${' '.repeat(64_000)}}`;
    const long = { ...DIAGNOSTIC, context: DIAGNOSTIC.context + ' '.repeat(64_000) };
    const fields = Object.entries(long).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const form = Buffer.from(`${fields.join('')}--b--\r\n`).toString('latin1');
    const requests = [
      ...Array(4).fill([head('/ask', 'application/json'), ...stream(question), '0\r\n\r\n']),
      [head('/api/v1/contact', 'multipart/form-data; boundary=b'), ...stream(form), '0\r\n\r\n'],
    ];
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1').setNoDelay();
    t.after(() => socket.destroy());
    for (const parts of requests) {
      // One turn of the event loop each, so that each is read alone.
      for (const part of parts) await new Promise(resolve => socket.write(part, 'latin1', resolve));
      const [received] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      assert.equal(statusOf(String(received)), '200', String(received));
    }
  });

  it('a path without a quota is measured: who asked it too much waits, and nobody else does', async t => {
    const { config, outbox, url: baseUrl } = await startApp(t);
    const { policies, publishing, allowedOrigins, forms } = config;
    const charged: string[] = [];
    const meter: Meter = {
      charge: client => charged.push(client),
      waitSeconds: client => (client === 'spent' ? 7 : 0),
    };
    const limiter = createMemoryLimiter({ policies, monotonicMs: () => 0 });
    const clientKey: ClientKey = ({ headers }) => ({
      hash: String(headers['x-client']),
      networkHash: 'n',
      isIpv6: false,
    });
    const counting = { limiter, failures: limiter, meter, policies, clientKey, requestId: () => 'a request' };
    const services = { ...outbox, ...forms, baseUrl, publishing, allowedOrigins, ...counting, log: () => {} };
    const now = () => new Date();
    const { app } = createApp({ ...services, now, mode: 'dry-run' }, await exampleBrand());
    const server = createServer(toNodeHandler(app)).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const send = (client: string, path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${Object(server.address()).port}${path}`, { method, headers: { 'x-client': client } });

    const free = ['/', '/openapi.json', '/forms/diagnostic', '/forms/ask', '/nothing'];
    for (const path of free) assert.notEqual((await send('other', path)).status, 429, path);
    assert.equal((await send('other', '/ask', 'OPTIONS')).status, 204);
    assert.equal((await send('other', '/ask', 'PATCH')).status, 405);
    assert.deepEqual(charged, Array(7).fill('other'));
    for (const path of free) {
      const refused = await send('spent', path);
      assert.equal(refused.status, 429, path);
      assert.equal(refused.headers.get('retry-after'), '7');
      const { ok, code, hint } = JSON.parse(await refused.text());
      assert.deepEqual([ok, code, hint.includes('Wait 7 s')], [false, 'rate_limited', true]);
    }
    assert.equal((await send('spent', '/ask', 'OPTIONS')).status, 429);
    assert.equal((await send('spent', '/ask', 'PATCH')).status, 429);
    assert.equal((await send('spent', '/ask?q=precio')).status, 200);
    assert.equal((await send('spent', '/api/v1/status')).status, 200);
    assert.equal(charged.length, 7);
  });

  it('the processor time of a client comes back at a tenth of a core, and only so many clients are remembered', () => {
    let now = 0;
    const meter = createMeter(() => now);
    meter.charge('a', 1050);
    assert.equal(meter.waitSeconds('a'), 1);
    assert.equal(meter.waitSeconds('b'), 0);
    now = 500;
    assert.equal(meter.waitSeconds('a'), 0);
    meter.charge('a', 10_000);
    assert.equal(meter.waitSeconds('a'), 100);
    for (let other = 0; other < 100_001; other += 1) meter.charge(`client ${other}`, 1);
    assert.equal(meter.waitSeconds('a'), 0);
  });
});

const chunked = (pieces: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(pieces)}0\r\n\r\n`;

const closing = (socket: Socket) => new Promise(resolve => socket.resume().once('close', resolve));

/** A listener that counts the pieces it was handed, under a clock that stands still. */
async function listenForPieces(t: TestContext, { reads = true } = {}) {
  t.mock.method(performance, 'now', () => 0);
  let taken = 0;
  const server = createListener({
    handler(request, response) {
      if (!reads) return void response.end();
      request.on('data', () => (taken += 1)).once('end', () => response.end());
    },
    refusalHeaders: async () => [],
    networkOf: () => 'one network',
    // Nobody waits for a turn, so that an answer comes before the end of its body.
    limits: { spentMs: 50, few: 1000 },
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connect = () => createConnection(Object(server.address()).port, '127.0.0.1').on('error', () => {});
  const flood = (bytes: string) => {
    const socket = connect();
    socket.write(bytes);
    return closing(socket);
  };
  return { connect, flood, taken: () => taken };
}

describe('a client that is refused again and again', { timeout: 20_000 }, () => {
  it('pays for the time that each refusal takes; once its time is spent, a new connection waits unread and is closed', async t => {
    let served = 0;
    const server = createListener({
      handler(_request, response) {
        served += 1;
        setTimeout(() => response.writeHead(429).end(), 11);
      },
      refusalHeaders: async () => [],
      networkOf: () => 'one network',
      limits: { spentMs: 50, refusals: Number.POSITIVE_INFINITY },
    });
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const send = () => fetch(`http://127.0.0.1:${Object(server.address()).port}`);
    while (await send().catch(() => undefined));
    // 10 ms of 1,000 each, and what came back meanwhile; without the measure it would be 5,000.
    assert.ok(served >= 100 && served < 500, String(served));
    const socket = createConnection(Object(server.address()).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let received = 0;
    socket.on('data', () => (received += 1));
    await once(socket, 'close');
    assert.equal(received, 0);
  });

  it('sends at most 256 pieces of bodies on one connection, pipelined or not; what it opened and did not use ends with its time', async t => {
    const { connect, flood, taken } = await listenForPieces(t);
    const silent = connect();
    const closed = closing(silent);
    for (let floods = 0; floods < 10; floods += 1) {
      // Eight wait for their answers, the others are ignored: their pieces count together.
      await flood(floods === 0 ? chunked(200).repeat(8) : chunked(1).repeat(8) + chunked(100).repeat(8));
      assert.ok(taken() <= (floods + 1) * 256, String(taken()));
    }
    await closed;
  });

  it('pays for each piece of its bodies, whatever becomes of them, and is cut off once its time is spent', async t => {
    const { connect, flood } = await listenForPieces(t);
    for (let floods = 0; floods < 9; floods += 1) await flood(chunked(257));
    // So far 924 ms of 1,000; a connection costs 0.1 ms, a piece 0.01.
    const socket = connect();
    const closed = closing(socket);
    let answers = 0;
    for (; answers < 100; answers += 1) {
      socket.write(chunked(200));
      if (!(await Promise.race([once(socket, 'data'), closed]))) break;
    }
    assert.equal(answers, 37);
  });

  it('pays for the pieces behind its answer too, though nobody reads them', async t => {
    const { connect, flood } = await listenForPieces(t, { reads: false });
    for (let floods = 0; floods < 9; floods += 1) await flood(chunked(400));
    let answers = 0;
    for (; answers < 100; answers += 1) {
      const socket = connect();
      socket.write(chunked(200));
      const closed = closing(socket);
      if (!(await Promise.race([once(socket, 'data'), closed]))) break;
      await closed;
    }
    // About 2.1 ms each of the 76 that are left.
    assert.ok(answers > 30 && answers < 40, String(answers));
  });

  it('has a long message to /mcp refused before it is parsed, and a long one of any method takes the slot of a call', async t => {
    const { url } = await startApp(t, { env: { LIMIT_DEFAULT: '1/60' } });
    const rest = 'x'.repeat(17_000);
    const message = (id: number, method: string, filling = '') =>
      post(`${url}/mcp`, { jsonrpc: '2.0', id, method, params: { filling } });
    assert.equal((await message(1, 'tools/list', rest)).status, 200);
    const long = await message(2, 'tools/list', rest);
    assert.deepEqual([long.status, Object(await long.json()).id], [429, null]);
    const short = await message(3, 'tools/call');
    assert.deepEqual([short.status, Object(await short.json()).id], [429, 3]);
    assert.equal((await message(4, 'tools/list')).status, 200);
  });
});
