import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { post, startApp } from './support.ts';

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url, clock } = await startApp(t, { env });
  return { url, clock, get: (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init) };
}

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
