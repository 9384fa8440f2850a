import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startApp } from '../support/support.ts';

it('every response asks for https from then on where the service has an https address', async t => {
  const transportOf = async (env: Record<string, string>) => {
    const { url } = await startApp(t, { env });
    return (await fetch(`${url}/api/v1/status`)).headers.get('strict-transport-security');
  };
  assert.match((await transportOf({ BASE_URL: 'https://acme.example' })) ?? '', /max-age=\d{7,}/);
  assert.equal(await transportOf({}), null);
});

it('a web page of another site may read /ask and the status, and every header of the contract', async t => {
  const { url } = await startApp(t);
  for (const path of ['/ask?q=precio', '/ask', '/api/v1/status']) {
    const { headers } = await fetch(url + path, { headers: { origin: 'https://page.example' } });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    for (const name of [
      ...[
        'api-version',
        'ratelimit',
        'ratelimit-policy',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
      ],
      ...['retry-after', 'deprecation', 'sunset', 'link'],
    ])
      assert.ok(exposed.includes(name), name);
    assert.equal(headers.get('access-control-allow-credentials'), null);
  }
});

it('a web page of another site may ask over A2A, which only answers, and not over MCP or a form, which submit', async t => {
  const { url } = await startApp(t);
  const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  const allowed = async (path: string) =>
    (await fetch(url + path, { method: 'OPTIONS', headers })).headers.get('access-control-allow-origin');
  assert.deepEqual(await Promise.all(['/ask', '/a2a', '/mcp', '/api/v1/contact'].map(allowed)), [
    '*',
    '*',
    null,
    null,
  ]);
});
