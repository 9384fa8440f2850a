import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { PRODUCTION } from './submission-support.ts';
import { startApp } from './support.ts';

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url } = await startApp(t, { env });
  return { get: (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init) };
}

describe('a web page of another site', () => {
  const origin = 'https://page.example';
  const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };

  it('may read /ask and the status, and every header of the contract', async t => {
    const { get } = await start(t);
    for (const path of ['/ask?q=precio', '/ask', '/api/v1/status']) {
      const { headers } = await get(path, { headers: { origin } });
      assert.equal(headers.get('access-control-allow-origin'), '*');
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
      for (const name of ['api-version', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining'])
        assert.ok(exposed.includes(name), name);
      for (const name of ['ratelimit-reset', 'retry-after', 'deprecation', 'sunset', 'link'])
        assert.ok(exposed.includes(name), name);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  it('may use /mcp only from a listed origin', async t => {
    const { get } = await start(t, { ALLOWED_ORIGINS: 'https://page.example, https://other.example' });
    for (const [from, allowed] of [
      [origin, origin],
      ['https://other.example', 'https://other.example'],
      ['http://localhost:6274', 'http://localhost:6274'],
      ['https://page.example.evil.example', null],
      ['http://page.example', null],
      ['null', null],
    ] as const) {
      const { status, headers } = await get('/mcp', { ...preflight, headers: { ...preflight.headers, origin: from } });
      assert.deepEqual(
        [status, headers.get('access-control-allow-origin'), headers.get('vary')],
        [204, allowed, 'Origin'],
      );
      if (allowed)
        assert.match(headers.get('access-control-allow-headers') ?? '', /content-type.*mcp-protocol-version/i);
      else assert.equal(headers.get('access-control-allow-headers'), null);
    }
  });

  it('of the visitor’s own machine may use /mcp, in production too', async t => {
    const { get } = await start(t, { ...PRODUCTION, BASE_URL: 'https://acme.example', BRAND_FILE: 'acme.json' });
    const local = 'http://localhost:6274';
    const { headers } = await get('/mcp', { ...preflight, headers: { ...preflight.headers, origin: local } });
    assert.equal(headers.get('access-control-allow-origin'), local);
    const read = await get('/mcp', { method: 'POST', headers: { origin: local }, body: '{}' });
    assert.equal(read.status, 400);
  });
});
