import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exchange, startApp } from '../support/support.ts';
import { callTool, request, send } from './mcp-messages.ts';
import { modern, modernCall, sendModern } from './mcp-modern-messages.ts';

const PING = request('ping');

describe('the headers of POST /mcp', () => {
  it('may name a revision that is served, or one that the server does not know yet', async t => {
    const { url } = await startApp(t);
    for (const version of ['2025-06-18', '2024-11-05', '2027-01-01'])
      assert.deepEqual((await send(url, PING, { 'mcp-protocol-version': version })).result, {}, version);
    const hello = await send(url, request('initialize'), { 'mcp-protocol-version': '2026-07-28' });
    assert.equal(hello.result.protocolVersion, '2025-06-18', 'initialize looks at no header');
  });

  it('may not name a version that is malformed or older than those served: 400, -32600', async t => {
    const { url } = await startApp(t);
    for (const version of ['2024-01-01', '', '2025-6-18', '2025-11-25, 2025-06-18']) {
      const { status, error, id } = await send(url, PING, { 'mcp-protocol-version': version });
      assert.deepEqual([status, error.code, id], [400, -32600, 1], version);
      assert.match(error.message, /2025-06-18/);
    }
  });
});

describe('params that do not fit the method', () => {
  it('are refused with -32602 in plain words, never those of a schema library', async t => {
    const { url } = await startApp(t);
    for (const [method, params] of [
      ['ping', { _meta: 'x' }],
      ['tools/list', { cursor: 7 }],
      ['tools/call', { name: 'ask_brand', arguments: [1] }],
      ['tools/call', { name: '__proto__' }],
    ] as const) {
      const { status, error } = await send(url, request(method, params));
      assert.deepEqual([status, error.code], [200, -32602], JSON.stringify(params));
      assert.match(error.message, /^Invalid params: [^\n]+\.$/);
    }
  });

  it('may be left out of initialize, or be null', async t => {
    const { url } = await startApp(t);
    for (const params of [undefined, {}, { protocolVersion: null, clientInfo: { name: 'x' } }]) {
      const { result } = await send(url, request('initialize', params));
      assert.equal(result.protocolVersion, '2025-06-18');
    }
    const { tools } = (await send(url, request('tools/list', { cursor: null }))).result;
    assert.ok(tools.some(({ name }: { name: string }) => name === 'ask_brand'));
    const { result } = await send(url, callTool('ask_brand', null));
    assert.equal(JSON.parse(result.content[0].text).code, 'missing_query');
  });
});

describe('MCP 2026-07-28', () => {
  it('has headers that say what the body says: 400, -32020', async t => {
    const { url } = await startApp(t);
    for (const changed of [{ 'mcp-protocol-version': '2025-06-18' }, { 'mcp-name': 'request_diagnostic' }]) {
      const { status, error } = await sendModern(url, modernCall('ask_brand', { query: 'precio' }), changed);
      assert.deepEqual([status, error.code], [400, -32020], JSON.stringify(changed));
    }
  });

  it('is refused where the header alone names it: 400, -32602', async t => {
    const { url } = await startApp(t);
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    for (const message of [request('tools/list'), callTool('ask_brand', { query: 'precio' })]) {
      const { status, error } = await send(url, message, headers);
      assert.deepEqual([status, error.code], [400, -32602]);
    }
  });
});

describe('methods beyond tools', () => {
  it('open no event stream and answer an acknowledgement that has an id', async t => {
    const { url } = await startApp(t);
    assert.equal((await send(url, request('subscriptions/listen'))).error.code, -32601);
    const listen = modern('subscriptions/listen', { notifications: {} });
    const { status, error } = await sendModern(url, listen);
    assert.deepEqual([status, error.code], [404, -32601]);
    assert.deepEqual((await send(url, request('notifications/initialized'))).result, {});
    const { result } = await send(url, request('initialize'));
    assert.deepEqual(result.capabilities, { tools: { listChanged: false } });
  });
});

describe('who may reach /mcp', () => {
  it('is not a page of another site: 403, -32600, and no CORS header', async t => {
    const { url } = await startApp(t);
    for (const origin of [
      ...['https://evil.example', 'http://localhost.evil.example', 'null', 'http://127.0.0.1.nip.io'],
      ...['file://', 'app://other.example'],
    ]) {
      const { status, error, headers } = await send(url, PING, { origin });
      assert.deepEqual([status, error.code, error.data.code], [403, -32600, 'invalid_request']);
      assert.match(error.message, /can allow this Origin with ALLOWED_ORIGINS/);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal((await fetch(`${url}/mcp`, { headers: { origin } })).status, 403);
    }
  });

  it('is a page of the service, of a listed origin or of this machine, which may read the answer', async t => {
    const env = {
      BASE_URL: 'https://acme.example',
      ALLOWED_ORIGINS: 'https://app.example,app://Notes.example,app://My-App',
    };
    const { url } = await startApp(t, { env });
    for (const origin of [
      ...['https://acme.example', 'https://app.example', 'http://localhost:6274', 'http://127.0.0.1'],
      ...['http://[::1]:3000', 'app://notes.example', 'app://My-App', 'app://my-app'],
    ]) {
      const { status, headers } = await send(url, PING, { origin });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, origin]);
      assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
      assert.match(headers.get('access-control-expose-headers') ?? '', /RateLimit/);
    }
  });

  it('calls it by its own name, one of ALLOWED_HOSTS or a loopback name: any other Host is 403, for GET too', async t => {
    const env = { BASE_URL: 'https://acme.example', ALLOWED_HOSTS: 'aval:8787, España.example' };
    const { url } = await startApp(t, { env });
    const { port } = new URL(url);
    const body = JSON.stringify(PING);
    const statusFor = async (method: string, host: string) => {
      const head = `${method} /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      const bytes = method === 'POST' ? `Content-Length: ${body.length}\r\n\r\n${body}` : '\r\n';
      return (await exchange(url, [head, bytes])).slice(9, 12);
    };
    for (const method of ['POST', 'GET']) {
      for (const host of ['acme.example:443', 'aval:8787', 'xn--espaa-rta.example', `[::1]:${port}`])
        assert.equal(await statusFor(method, host), '200', host);
      for (const host of ['evil.example', 'aval', 'acme.example.evil.example', 'localhost@evil.example', ''])
        assert.equal(await statusFor(method, host), '403', host);
    }
  });
});
