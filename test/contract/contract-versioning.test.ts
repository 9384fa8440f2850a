import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  type Answer,
  assertError,
  assertHeaders,
  assertOnlyVersion,
  close,
  DIAGNOSTIC,
  FORMS,
  newClient,
  PARTNER,
  QUESTIONS,
  type Server,
  sharedServer,
} from './contract-fixture.ts';

after(close);

const { query } = QUESTIONS.en;

/** Responses of every kind and status that a client can bring about. */
async function everyKind(server: Server): Promise<Record<string, Answer>> {
  const client = newClient();
  const forms = FORMS.map(
    async ({ path, body }) => [path, await server.post(path, body, { client })] as const,
  );
  return {
    ...Object.fromEntries(await Promise.all(forms)),
    'POST /ask': await server.post('/ask', { query }),
    'GET /ask': await server.send('/ask?q=bells'),
    'HEAD /ask': await server.send('/ask?q=bells', { method: 'HEAD' }),
    'no query': await server.send('/ask'),
    'no field': await server.post('/api/v1/contact', {}),
    'no JSON': await server.send('/api/v1/partners', { method: 'POST', body: '{' }),
    'too large': await server.post('/ask', { query: 'x'.repeat(70_000) }),
    'no path': await server.send('/nothing'),
    'no method': await server.send('/ask', { method: 'DELETE' }),
    OPTIONS: await server.send('/mcp', { method: 'OPTIONS' }),
    status: await server.send('/api/v1/status'),
    'MCP result': await server.mcp({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    'MCP error': await server.mcp({ jsonrpc: '2.0', id: 1, method: 'none' }),
    'MCP 202': await server.mcp({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    'MCP 400': await server.mcp({}),
    descriptor: await server.send('/mcp'),
    'no stream': await server.send('/mcp', { headers: { Accept: 'text/event-stream' } }),
    document: await server.send('/openapi.json'),
    'document that is known': await server.send('/openapi.json', { headers: { 'If-None-Match': '*' } }),
    robots: await server.send('/robots.txt'),
    profile: await server.send('/.well-known/brand.json'),
    'too large for MCP': await server.mcp({ x: 'x'.repeat(70_000) }),
    'form of another site': await server.post('/api/v1/contact', DIAGNOSTIC, {
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    }),
    home: await server.send('/', { headers: { Accept: 'text/html' } }),
  };
}

test('Every response carries API-Version, 1, and the rate-limit headers but for the 400 of /mcp; nothing is deprecated, no browser runs what comes', async () => {
  const server = await sharedServer('en');
  for (const [what, answer] of Object.entries(await everyKind(server))) {
    const { headers } = answer;
    if (what === 'MCP 400') assertOnlyVersion(answer, what);
    else assertHeaders(answer, what);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, what);
    for (const name of ['server', 'x-powered-by']) assert.equal(headers.get(name), null, what);
    assert.equal(headers.get('deprecation'), null, what);
    assert.equal(headers.get('sunset'), null, what);
    assert.doesNotMatch(headers.get('link') ?? '', /deprecation/, what);
  }
  assert.doesNotMatch((await server.send('/openapi.json')).text, /"deprecated":true/);
});

test('REST endpoints live under /api/v{major}/{resource}; the current version is v1', async () => {
  const server = await sharedServer('en');
  const { json } = await server.send('/api/v1/status');
  assert.equal(json.api_version, '1');
  for (const resource of ['status', 'contact', 'partners']) {
    for (const version of ['v0', 'v2', 'v01', '1', 'V1']) {
      const path = `/api/${version}/${resource}`;
      assertError(await server.post(path, {}), [404, 'not_found'], path);
    }
  }
});

test('/api/contact and /api/partners are aliases pinned to v1', async () => {
  const server = await sharedServer('en');
  const pairs = [
    ['/api/contact', '/api/v1/contact', DIAGNOSTIC],
    ['/api/partners', '/api/v1/partners', PARTNER],
  ] as const;
  for (const [alias, path, body] of pairs) {
    for (const sent of [{}, { ...body, context: 'short' }, { ...body, extra: 'x' }]) {
      const [one, other] = [await server.post(alias, sent), await server.post(path, sent)];
      assert.deepEqual([one.status, one.json], [other.status, other.json]);
    }
  }
});

test('/ask and /mcp are not under the path version', async () => {
  const server = await sharedServer('en');
  for (const path of ['/api/v1/ask', '/api/ask', '/api/v1/mcp', '/api/mcp']) {
    assertError(await server.post(path, { query }), [404, 'not_found'], path);
  }
});

test('A deprecated version keeps working for at least 180 days, and its responses carry Deprecation, Sunset and Link', async () => {
  const server = await sharedServer('en');
  const { text } = await server.send('/docs', { headers: { Accept: 'text/html' } });
  for (const promise of ['180 days', 'Deprecation', 'Sunset', 'Link'])
    assert.ok(text.includes(promise), promise);
});
