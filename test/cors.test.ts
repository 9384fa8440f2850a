import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startApp } from './support.ts';

async function start(t: TestContext, env: Record<string, string> = {}) {
  const { url } = await startApp(t, { env });
  return { get: (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init) };
}

describe('a web page of another site', () => {
  const origin = 'https://page.example';
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

  it('may ask over A2A, which only answers questions, and not over MCP, which also submits', async t => {
    const { get } = await start(t);
    const headers = { origin, 'access-control-request-method': 'POST' };
    const allowed = async (path: string) => {
      const { headers: answer } = await get(path, { method: 'OPTIONS', headers });
      return answer.get('access-control-allow-origin');
    };
    assert.deepEqual(await Promise.all(['/ask', '/a2a', '/mcp', '/api/v1/contact'].map(allowed)), [
      '*',
      '*',
      null,
      null,
    ]);
  });
});
