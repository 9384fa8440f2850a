// contract: 4, 5.5, 6.1, 6.2, 8.1
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { assertRefused, bodyOf, exchange, post, startApp } from './support.ts';

const ALLOW = {
  '/ask': 'GET, HEAD, POST, OPTIONS',
  '/api/v1/status': 'GET, HEAD, OPTIONS',
  '/mcp': 'GET, HEAD, POST, OPTIONS',
};

const EVENTS = 'text/event-stream';

/** Headers of a response without those that differ from one request to the next. */
function lasting({ headers }: Response): Record<string, string> {
  const { date, connection, 'keep-alive': _, 'x-request-id': __, ...rest } = Object.fromEntries(headers);
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit')));
}

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url, clock } = await startApp(t, { env });
  return { url, clock, get: (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init) };
}

describe('GET /api/v1/status', () => {
  it('answers the five fields of StatusOk, the time in UTC', async t => {
    const { get, clock } = await start(t);
    clock.advance(90);
    const response = await get('/api/v1/status');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const time = '2026-11-21T00:01:30.000Z';
    assert.deepEqual(await bodyOf(response), { ok: true, status: 'ok', service: 'aval', api_version: '1', time });
  });
});

describe('every response', () => {
  it('carries API-Version 1 and what keeps a browser from running it, errors included', async t => {
    const { get, url } = await start(t);
    const responses = [
      ...(await Promise.all(
        ['/ask?q=precio', '/ask', '/api/v1/status', '/mcp', '/nothing', '/%FF'].map(path => get(path)),
      )),
      await get('/ask', { method: 'DELETE' }),
      await get('/ask', { method: 'OPTIONS' }),
      await post(`${url}/mcp`, '{'),
      await post(`${url}/mcp`, { jsonrpc: '2.0', method: 'notifications/initialized' }),
      await post(`${url}/ask`, 'a'.repeat(9000)),
    ];
    for (const { headers, status } of responses) {
      assert.equal(headers.get('api-version'), '1', `${status}`);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      for (const name of ['server', 'x-powered-by', 'deprecation', 'sunset']) assert.equal(headers.get(name), null);
    }
  });

  it('asks for https from then on where the service has an https address', async t => {
    const { get } = await start(t, { BASE_URL: 'https://acme.example' });
    assert.match((await get('/api/v1/status')).headers.get('strict-transport-security') ?? '', /max-age=\d{7,}/);
    const plain = await start(t);
    assert.equal((await plain.get('/api/v1/status')).headers.get('strict-transport-security'), null);
  });
});

describe('a path', () => {
  it('that does not exist is 404 not_found for every method, with a trailing slash too', async t => {
    const { get } = await start(t);
    for (const path of [
      '/nothing',
      '/ask/',
      '/mcp/',
      '/api/v1/status/',
      '/api/v2/status',
      '/ASK',
      '//',
      '//ask',
      '/ask/x',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
        const response = await get(path, { method });
        assert.equal(response.headers.get('allow'), null);
        await assertRefused(Promise.resolve(response), 'not_found', 404);
      }
    }
  });

  it('that exists refuses other methods with 405 and its own Allow', async t => {
    const { get } = await start(t);
    for (const [path, allow] of Object.entries(ALLOW)) {
      for (const method of ['PUT', 'PATCH', 'DELETE', ...(path === '/api/v1/status' ? ['POST'] : [])]) {
        const response = await get(path, { method });
        assert.equal(response.headers.get('allow'), allow);
        await assertRefused(Promise.resolve(response), 'method_not_allowed', 405);
      }
    }
  });

  it('answers OPTIONS with 204, Allow and no body', async t => {
    const { get } = await start(t);
    for (const [path, allow] of Object.entries(ALLOW)) {
      const response = await get(path, { method: 'OPTIONS' });
      assert.deepEqual([response.status, response.headers.get('allow'), await response.text()], [204, allow, '']);
    }
  });

  it('answers HEAD with the status and headers of GET and without its body', async t => {
    const { get, url } = await start(t);
    for (const path of ['/ask?q=precio', '/ask', '/api/v1/status', '/mcp', '/nothing']) {
      const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)];
      assert.equal(head.status, full.status);
      assert.deepEqual(lasting(head), lasting(full));
      assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(await full.text()));
    }
    const host = new URL(url).host;
    const bytes = await exchange(url, [`HEAD /ask?q=precio HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]);
    assert.ok(bytes.endsWith('\r\n\r\n'), 'nothing follows the headers');
  });
});

describe('GET /mcp', () => {
  it('refuses who wants an event stream with 405 and Allow: POST, OPTIONS, alone or in a list', async t => {
    const { get } = await start(t);
    for (const accept of [EVENTS, `application/json, ${EVENTS}`, `${EVENTS};q=0.5, */*`, 'Text/Event-Stream;q=0.1']) {
      const response = await get('/mcp', { headers: { accept } });
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS', accept);
      await assertRefused(Promise.resolve(response), 'method_not_allowed', 405);
    }
  });

  it('describes the server to everyone else', async t => {
    const { get, url } = await start(t);
    for (const accept of ['*/*', 'application/json', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      const response = await get('/mcp', { headers: { accept } });
      assert.equal(response.status, 200);
      const { name, protocolVersion, tools, limits, transport } = await bodyOf(response);
      assert.deepEqual([name, protocolVersion, transport.url], ['aval', '2025-06-18', `${url}/mcp`]);
      assert.equal(tools[0].name, 'ask_brand');
      assert.ok(tools[0].title && tools[0].description);
      assert.equal(limits[0].text, '60 requests per minute per client');
    }
  });
});
