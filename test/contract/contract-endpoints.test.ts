import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { folderWith } from '../support/folder.ts';
import { multipart } from '../support/submission-support.ts';
import {
  assertError,
  assertHeaders,
  BRANDS,
  callTool,
  close,
  DIAGNOSTIC,
  FORMS,
  newClient,
  PARTNER,
  production,
  QUESTIONS,
  type Server,
  sharedServer,
  start,
  unsignedProfile,
} from './contract-fixture.ts';

after(close);

const { query } = QUESTIONS.en;
const ENDPOINTS = ['/ask', ...FORMS.map(({ path }) => path), '/api/v1/status', '/mcp'];

test('POST /ask and GET /ask give the same answer', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const question = QUESTIONS[name].query;
    const posted = await server.post('/ask', { query: question });
    const got = await server.send(`/ask?q=${encodeURIComponent(question)}`);
    assert.deepEqual([posted.status, got.status], [200, 200]);
    assert.equal(posted.json.query, question);
    assert.deepEqual(got.json, posted.json);
  }
});

test('POST /ask: missing_query when the query is missing or empty', async () => {
  const server = await sharedServer('en');
  const bodies = ['{}', '{"query":""}', '{"query":"  \\t "}', '{"query":null}', '', '[]', '"a text"', 'null'];
  for (const body of bodies) {
    const answer = await server.send('/ask', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    assertError(answer, [400, 'missing_query'], JSON.stringify(body));
    assertHeaders(answer, body);
  }
});

test('POST /ask without a body has no query, whatever its content type', async () => {
  const server = await sharedServer('en');
  for (const headers of [{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])
    assertError(await server.send('/ask', { method: 'POST', headers: { ...headers } }), [
      400,
      'missing_query',
    ]);
});

test('GET /ask: 400 when q is missing, empty or blank', async () => {
  const server = await sharedServer('en');
  for (const path of ['/ask', '/ask?q=', '/ask?q=%20%09', '/ask?other=1']) {
    const answer = await server.send(path);
    assertError(answer, [400, 'missing_query'], path);
    assertHeaders(answer, path);
  }
});

test('A missing_query says which name the question has', async () => {
  const server = await sharedServer('en');
  const get = await server.send(`/ask?query=${encodeURIComponent(query)}`);
  assertError(get, [400, 'missing_query']);
  assert.match(get.json.hint, /\bq\b/);
  const post = await server.post('/ask', { q: query });
  assert.equal(post.status, 400);
  assert.match(post.text, /\bquery\b/);
});

test('GET /ask ignores parameters of analytics', async () => {
  const server = await sharedServer('en');
  const answer = await server.send(`/ask?utm_source=x&q=${encodeURIComponent(query)}`);
  assert.equal(answer.json.matches[0].claim_id, QUESTIONS.en.claim);
});

test('POST /api/v1/contact and its alias take JSON and form data', async () => {
  const server = await sharedServer('en');
  for (const path of ['/api/v1/contact', '/api/contact']) {
    const json = await server.post(path, DIAGNOSTIC, { client: newClient() });
    const encoded = await server.send(path, {
      method: 'POST',
      body: new URLSearchParams(DIAGNOSTIC),
      client: newClient(),
    });
    const parts = await server.send(path, {
      method: 'POST',
      body: multipart(DIAGNOSTIC),
      client: newClient(),
    });
    for (const answer of [json, encoded, parts]) {
      assert.equal(answer.status, 200, path);
      assert.equal(answer.json.ok, true);
      assertHeaders(answer, path);
    }
  }
});

test('POST /api/v1/contact: form data with an invalid field is a validation_error with issues', async () => {
  const server = await sharedServer('en');
  const body = new URLSearchParams({ ...DIAGNOSTIC, context: 'short' });
  const answer = await server.send('/api/v1/contact', { method: 'POST', body, client: newClient() });
  assertError(answer, [400, 'validation_error']);
  assert.match(answer.json.issues[0], /^context: /);
});

test('POST /api/v1/partners and its alias take JSON alone', async () => {
  const server = await sharedServer('en');
  for (const path of ['/api/v1/partners', '/api/partners']) {
    const json = await server.post(path, PARTNER, { client: newClient() });
    assert.equal(json.status, 200);
    assertHeaders(json, path);
    for (const body of [new URLSearchParams(PARTNER), multipart(PARTNER)]) {
      const form = await server.send(path, { method: 'POST', body, client: newClient() });
      assertError(form, [400, 'invalid_request'], path);
    }
  }
});

test('HEAD answers as GET does, without a body', async () => {
  const server = await sharedServer('en');
  for (const path of [
    `/ask?q=${encodeURIComponent(query)}`,
    '/api/v1/status',
    '/mcp',
    '/openapi.json',
    '/llms.txt',
  ]) {
    const client = newClient();
    const get = await server.send(path, { client });
    const head = await server.send(path, { method: 'HEAD', client });
    assert.equal(head.status, get.status, path);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    assertHeaders(head, `HEAD ${path}`);
  }
});

test('OPTIONS lists the methods and takes no slot', async () => {
  const server = await sharedServer('en');
  for (const path of ENDPOINTS) {
    const client = newClient();
    const answer = await server.send(path, { method: 'OPTIONS', client });
    assert.equal(answer.status, 204, path);
    assert.match(answer.headers.get('allow') ?? '', /OPTIONS/, path);
    assertHeaders(answer, `OPTIONS ${path}`);
    const after = await server.send(path, { method: 'OPTIONS', client });
    assert.equal(after.headers.get('ratelimit-remaining'), answer.headers.get('ratelimit-remaining'), path);
  }
});

test('No authentication on any endpoint: a key changes nothing', async () => {
  const server = await sharedServer('en');
  for (const headers of [{}, { Authorization: 'Bearer nobody' }, { Authorization: 'Basic bm86bm8=' }]) {
    assert.equal((await server.send('/api/v1/status', { headers })).status, 200);
    assert.equal((await server.post('/ask', { query }, { headers })).status, 200);
    assert.equal((await server.mcp({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers })).status, 200);
    for (const { path, body } of FORMS) {
      const answer = await server.post(path, body, { headers, client: newClient() });
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('www-authenticate'), null);
    }
  }
});

test('The same Idempotency-Key with the same fields gets the first answer and takes no slot; with others it is a fault', async () => {
  const server = await sharedServer('en');
  for (const { path, body } of FORMS) {
    const client = newClient();
    const headers = { 'Idempotency-Key': `key of ${path}` };
    const first = await server.post(path, body, { client, headers });
    const again = await server.post(path, body, { client, headers });
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.deepEqual(again.json, first.json);
    const remaining = [first, again].map(answer => answer.headers.get('ratelimit-remaining'));
    assert.deepEqual(remaining, ['9', '9']);
    const other = await server.post(path, { ...body, company: 'Another' }, { client, headers });
    assertError(other, [400, 'validation_error'], path);
  }
});

/** What a server without answers still does. */
async function assertNotConfigured(server: Server): Promise<void> {
  const post = await server.post('/ask', { query });
  const get = await server.send(`/ask?q=${encodeURIComponent(query)}`);
  for (const answer of [post, get]) {
    assertError(answer, [503, 'not_configured']);
    assertHeaders(answer, 'not_configured');
  }
  const tool = await server.mcp(callTool('ask_brand', { query }));
  assert.equal(tool.status, 200);
  assert.equal(tool.json.result.isError, true);
  assert.deepEqual(JSON.parse(tool.json.result.content[0].text), post.json);
  assert.equal((await server.send('/api/v1/status')).status, 200);
  for (const { path, body } of FORMS) assert.equal((await server.post(path, body)).status, 200, path);
}

test('503 not_configured when the retrieval backend is not configured', async () => {
  const BRAND_FILE = folderWith({ 'brand.json': '{}' })('brand.json');
  const server = await start({ BRAND_FILE, START_WITHOUT_BRAND: '1' });
  await assertNotConfigured(server);
  await server.stop();
  const lines = server.said().trimEnd().split('\n');
  const errors = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 'error');
  assert.equal(errors.length, 1);
  assert.ok(errors[0].fault.includes(BRAND_FILE));
});

test('503 not_configured when the profile has expired; forms go on', async () => {
  const { brand } = await unsignedProfile({
    issued_at: '2024-01-01T00:00:00Z',
    expires_at: '2025-01-01T00:00:00Z',
  });
  const server = await start({ BRAND_FILE: brand });
  await assertNotConfigured(server);
  await server.stop();
});

test('500 delivery_failed when the application cannot be delivered, over REST and over MCP', async () => {
  // Nobody listens on the discard port.
  const server = await production('smtp://127.0.0.1:9');
  for (const { path, body } of FORMS) {
    const answer = await server.post(path, body, { client: newClient() });
    assertError(answer, [500, 'delivery_failed'], path);
    assertHeaders(answer, path);
    assert.match(answer.json.hint, /kept/);
  }
  const tools = { request_diagnostic: DIAGNOSTIC, apply_partner_program: PARTNER };
  for (const [tool, body] of Object.entries(tools)) {
    const { status, json } = await server.mcp(callTool(tool, body), { client: newClient() });
    assert.equal(status, 200);
    assert.equal(json.result.isError, true);
    assert.equal(JSON.parse(json.result.content[0].text).code, 'delivery_failed');
  }
  await server.stop();
});

test('500 delivery_failed when the submission cannot be stored', async () => {
  const server = await start();
  rmSync(server.data, { recursive: true });
  const answer = await server.post('/api/v1/contact', DIAGNOSTIC);
  assertError(answer, [500, 'delivery_failed']);
  await server.stop();
});
