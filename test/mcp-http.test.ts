// contract: 5.1, 5.2, 5.4, 5.5
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callTool, request, send } from './mcp-messages.ts';
import { exchange, post, startApp } from './support.ts';

const MANY = { LIMIT_DEFAULT: '100000/60' };
const PING = request('ping');

describe('a message without an answer', () => {
  it('is acknowledged with an empty 202: notifications, whatever their name', async t => {
    const { url, lines } = await startApp(t);
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/of-tomorrow' },
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'request_diagnostic', arguments: {} } },
    ]) {
      const response = await post(`${url}/mcp`, message);
      assert.deepEqual([response.status, await response.text()], [202, '']);
    }
    assert.ok(
      lines.every(({ event }) => event === 'request'),
      'no job was started',
    );
  });

  it('is acknowledged the same way when it is a response', async t => {
    const { url } = await startApp(t);
    for (const message of [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } },
    ]) {
      const response = await post(`${url}/mcp`, message);
      assert.deepEqual([response.status, await response.text()], [202, '']);
    }
  });
});

describe('the id of a request', () => {
  it('comes back as it was: a string, a whole number or null', async t => {
    const { url } = await startApp(t);
    for (const id of [1, 0, -7, 9_007_199_254_740_991, '', '1', 'á🍣"\\', 'x'.repeat(1000), null]) {
      const answer = await send(url, { ...PING, id });
      assert.deepEqual([answer.status, answer.id, answer.result], [200, id, {}]);
    }
  });

  it('of any other kind makes the request invalid: 400, -32600, id null', async t => {
    const { url } = await startApp(t);
    for (const id of [1.5, true, {}, [1]]) {
      const answer = await send(url, { ...PING, id });
      assert.deepEqual([answer.status, answer.error.code, answer.id], [400, -32600, null]);
    }
  });

  it('is refused where a number of JSON would not come back as it was sent: 400, -32600, id null', async t => {
    const { url } = await startApp(t);
    for (const id of ['9007199254740993', '-9007199254740993', '1e30', '12345678901234567890']) {
      const { status, error, id: answered } = await send(url, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      assert.deepEqual([status, error.code, answered], [400, -32600, null]);
      assert.match(error.message, /2\^53-1/);
    }
  });
});

describe('a body that is no JSON-RPC request', () => {
  it('is refused with 400 and -32600: no object, a batch, an empty batch, a wrong envelope', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const body of ['[]', [PING, PING], [PING], '"ping"', '7', 'null', 'true', {}, { id: 1, method: 'ping' }]) {
      const { status, error, id } = await send(url, body);
      assert.deepEqual([status, error.code], [400, -32600]);
      assert.ok(id === null || id === 1);
    }
  });

  it('keeps the id of its caller where it shows one', async t => {
    const { url } = await startApp(t);
    for (const body of [{ jsonrpc: '1.0', method: 'ping' }, { jsonrpc: '2.0' }, { jsonrpc: '2.0', method: 5 }]) {
      const { status, error, id } = await send(url, { ...body, id: 'mine' });
      assert.deepEqual([status, error.code, id], [400, -32600, 'mine']);
    }
  });

  it('is a parse error when it is no JSON at all: 400, -32700, id null', async t => {
    const { url } = await startApp(t);
    for (const body of ['', '{', '{"jsonrpc":"2.0","id":1,"method":"ping"']) {
      const { status, error, id } = await send(url, body);
      assert.deepEqual([status, error.code, id], [400, -32700, null]);
    }
  });
});

describe('a request that cannot be served', () => {
  it('names an unknown method: 200, -32601', async t => {
    const { url } = await startApp(t);
    for (const method of ['prompts/list', 'server/discover', 'tools/List', '', '__proto__', 'toString']) {
      const { status, error, id } = await send(url, request(method));
      assert.deepEqual([status, error.code, id], [200, -32601, 1]);
    }
  });

  it('has params that are wrong: unknown tool, no name, unknown cursor, no object: 200, -32602', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const message of [
      callTool('ask', { query: 'precio' }),
      callTool('__proto__', {}),
      callTool('', {}),
      request('tools/call'),
      request('tools/call', { arguments: { query: 'precio' } }),
      request('tools/call', { name: 7 }),
      request('tools/call', ['ask_brand']),
      request('tools/list', { cursor: 'abc' }),
      request('tools/list', { cursor: '' }),
      { ...PING, params: 'x' },
    ]) {
      const { status, error, id } = await send(url, message);
      assert.deepEqual([status, error.code, id], [200, -32602, 1], JSON.stringify(message));
    }
  });
});

describe('null', () => {
  it('stands for params and a cursor that are absent, as some clients write them', async t => {
    const { url } = await startApp(t);
    assert.deepEqual((await send(url, { ...PING, params: null })).result, {});
    for (const params of [null, { cursor: null }]) {
      const { result } = await send(url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params });
      assert.equal(result.tools.length, 3);
    }
  });
});

describe('notifications/initialized', () => {
  it('is answered when it has an id, and stands in the list of methods', async t => {
    const { url } = await startApp(t);
    assert.deepEqual((await send(url, request('notifications/initialized'))).result, {});
    const { error } = await send(url, request('prompts/list'));
    assert.match(error.message, /initialize, ping, tools\/list, tools\/call, notifications\/initialized/);
  });
});

describe('the Accept header of GET /mcp', () => {
  const get = async (url: string, accept: string) => (await fetch(`${url}/mcp`, { headers: { accept } })).status;

  it('asks for no event stream when it refuses one, or only looks like it', async t => {
    const { url } = await startApp(t);
    for (const accept of [
      'text/event-stream;q=0',
      'text/event-stream; q=0.0, */*',
      'text/event-streams',
      'application/json;x="text/event-stream"',
      'application/json;x="a,text/event-stream,b"',
      'application/json;x="a\\",text/event-stream,b',
      '*/*',
    ]) {
      assert.equal(await get(url, accept), 200, accept);
    }
  });
});

describe('the headers of POST /mcp', () => {
  it('may accept anything: JSON alone, a list with event streams, everything or nothing', async t => {
    const { url } = await startApp(t);
    for (const accept of ['application/json', 'application/json, text/event-stream', '*/*', 'text/event-stream', '']) {
      assert.deepEqual((await send(url, PING, { accept })).result, {});
    }
    const body = JSON.stringify(PING);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n`;
    const bare = await exchange(url, [`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`]);
    assert.match(bare, /^HTTP\/1\.1 200 /);
  });

  it('may name protocol version 2025-06-18, none, or one that the server does not know yet', async t => {
    const { url } = await startApp(t);
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28', '2027-01-01']) {
      assert.deepEqual((await send(url, PING, { 'mcp-protocol-version': version })).result, {}, version);
    }
  });

  it('may not name a version that is malformed or older than those served: 400, -32600', async t => {
    const { url } = await startApp(t);
    for (const version of ['2025-03-26', '2024-11-05', '1', 'x', '', '2025-6-18', '2025-11-25, 2025-06-18']) {
      const { status, error, id } = await send(url, PING, { 'mcp-protocol-version': version });
      assert.deepEqual([status, error.code, id], [400, -32600, 1], version);
      assert.match(error.message, /2025-06-18 or 2026-07-28/);
    }
  });

  it('say nothing on initialize, which has yet to agree on a version', async t => {
    const { url } = await startApp(t);
    for (const version of ['2025-06-18', '2025-11-25', '2026-07-28', '2025-03-26', '2024-11-05', 'x', '']) {
      const { status, result } = await send(url, request('initialize', {}), { 'mcp-protocol-version': version });
      assert.deepEqual([status, result.protocolVersion], [200, '2025-06-18'], version);
    }
  });
});

describe('who may reach /mcp', () => {
  it('is not a page of another site: 403, -32600, and no CORS header', async t => {
    const { url } = await startApp(t);
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'null',
      'http://127.0.0.1.nip.io',
      'file://',
    ]) {
      const { status, error, headers } = await send(url, PING, { origin });
      assert.deepEqual([status, error.code, error.data.code], [403, -32600, 'invalid_request']);
      assert.match(error.message, /can allow this Origin with ALLOWED_ORIGINS/);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal((await fetch(`${url}/mcp`, { headers: { origin } })).status, 403);
    }
  });

  it('is a page of the service, of a listed origin or of this machine, which may read the answer', async t => {
    const env = { BASE_URL: 'https://acme.example', ALLOWED_ORIGINS: 'https://app.example' };
    const { url } = await startApp(t, { env });
    for (const origin of [
      'https://acme.example',
      'https://app.example',
      'http://localhost:6274',
      'http://127.0.0.1',
      'http://[::1]:3000',
    ]) {
      const { status, headers } = await send(url, PING, { origin });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, origin]);
      assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
      assert.match(headers.get('access-control-expose-headers') ?? '', /RateLimit/);
    }
  });

  it('calls it by its own name or a loopback name: any other Host is 403, for GET too', async t => {
    const { url } = await startApp(t, { env: { BASE_URL: 'https://acme.example' } });
    const { port } = new URL(url);
    const body = JSON.stringify(PING);
    const statusFor = async (method: string, host: string) => {
      const head = `${method} /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      const bytes = method === 'POST' ? `Content-Length: ${body.length}\r\n\r\n${body}` : '\r\n';
      return (await exchange(url, [head, bytes])).slice(9, 12);
    };
    for (const method of ['POST', 'GET']) {
      for (const host of ['acme.example', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
        assert.equal(await statusFor(method, host), '200', host);
      }
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        'acme.example.evil.example',
        'localhost@evil.example',
        '',
      ]) {
        assert.equal(await statusFor(method, host), '403', host);
      }
    }
  });
});
