import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readAnswer } from '../support/support.ts';
import {
  assertError,
  assertHeaders,
  close,
  DIAGNOSTIC,
  FORMS,
  newClient,
  PARTNER,
  QUESTIONS,
  sharedServer,
} from './contract-fixture.ts';

after(close);

const JSON_BODIES = ['/ask', '/api/v1/contact', '/api/contact', '/api/v1/partners', '/api/partners'];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const { query } = QUESTIONS.en;

/** No stack, path or framework text reaches a client. */
const LEAK = /\n +at |node:internal|node_modules|\.[tj]s:\d|\bh3\b|SyntaxError|TypeError|<html|<pre/i;

test('invalid_request, 400: the body is neither valid JSON nor valid form data', async () => {
  const server = await sharedServer('en');
  for (const path of JSON_BODIES) {
    for (const body of [
      '{',
      'hello',
      '{"name":"Ana",}',
      '{"a":1} {"b":2}',
      Buffer.from('{"query":"\xff"}', 'latin1'),
    ]) {
      const answer = await server.send(path, {
        method: 'POST',
        headers: JSON_TYPE,
        body,
        client: newClient(),
      });
      assertError(answer, [400, 'invalid_request'], `${path} ${body}`);
      assertHeaders(answer, path);
      assert.doesNotMatch(answer.text, LEAK);
    }
  }
});

test('invalid_request, 400: multipart form data without its boundary or its end', async () => {
  const server = await sharedServer('en');
  const bodies: [string, string][] = [
    ['multipart/form-data', '--x\r\n'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAna'],
  ];
  for (const [type, body] of bodies) {
    const headers = { 'Content-Type': type };
    const answer = await server.send('/api/v1/contact', {
      method: 'POST',
      headers,
      body,
      client: newClient(),
    });
    assertError(answer, [400, 'invalid_request'], type);
  }
});

test('invalid_request, 400: a content type that is wrong or missing, or an encoded body', async () => {
  const server = await sharedServer('en');
  const requests = { '/ask': { query }, '/api/v1/contact': DIAGNOSTIC, '/api/v1/partners': PARTNER };
  const wrong = [
    {},
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/xml' },
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
  ];
  for (const [path, body] of Object.entries(requests)) {
    for (const headers of wrong) {
      const sent = {
        method: 'POST',
        headers: { ...headers },
        body: JSON.stringify(body),
        client: newClient(),
      };
      assertError(
        await server.send(path, sent),
        [400, 'invalid_request'],
        `${path} ${JSON.stringify(headers)}`,
      );
    }
  }
});

test('not_found, 404: no API endpoint exists at that path', async () => {
  const server = await sharedServer('en');
  const paths = [
    ...['/nothing', '/api', '/api/v1/', '/api/v2/status', '/api/v1/contact/', '/ask/', '/mcp/x'],
    ...['/API/v1/status', '/api/status', '/.env', '/constructor'],
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await server.send(path, { method });
      assertError(answer, [404, 'not_found'], `${method} ${path}`);
      assertHeaders(answer, path);
    }
  }
  const marked = await server.send('/nothing-here-4711?secret=4712');
  assert.doesNotMatch(marked.text, /4711|4712/);
});

test('method_not_allowed, 405: wrong HTTP method; the Allow header lists the methods', async () => {
  const server = await sharedServer('en');
  const endpoints: [path: string, wrong: string[], allowed: string[]][] = [
    ['/ask', ['PUT', 'DELETE', 'PATCH'], ['GET', 'POST']],
    ...FORMS.map(({ path }): [string, string[], string[]] => [
      path,
      ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'],
      ['POST'],
    ]),
    ['/api/v1/status', ['POST', 'PUT', 'DELETE'], ['GET']],
    ['/mcp', ['PUT', 'DELETE', 'PATCH'], ['GET', 'POST']],
    ['/openapi.json', ['POST', 'DELETE'], ['GET']],
    ['/llms.txt', ['POST', 'DELETE'], ['GET']],
    ['/.well-known/brand.json', ['POST', 'PUT'], ['GET']],
  ];
  for (const [path, wrong, allowed] of endpoints) {
    for (const method of wrong) {
      const answer = await server.send(path, { method, client: newClient() });
      assertHeaders(answer, `${method} ${path}`);
      const listed = (answer.headers.get('allow') ?? '').split(', ');
      for (const right of allowed) assert.ok(listed.includes(right), `${method} ${path}: ${listed}`);
      assert.ok(!listed.includes(method));
      if (method === 'HEAD') assert.equal(answer.status, 405);
      else if (path === '/mcp') assert.equal(answer.status, 405);
      else assertError(answer, [405, 'method_not_allowed'], `${method} ${path}`);
    }
  }
});

test('Every valid text fits, however it is escaped', async () => {
  const server = await sharedServer('en');
  const escaped = (text: string) => [...text].map(() => '\\ud83d\\udd14').join('');
  const post = (path: string, body: string) =>
    server.send(path, { method: 'POST', headers: JSON_TYPE, body, client: newClient() });
  assert.equal((await post('/ask', `{"query":"${escaped('x'.repeat(2000))}"}`)).status, 200);
  const { context: _, ...rest } = DIAGNOSTIC;
  const form = JSON.stringify(rest).replace(/}$/, `,"context":"${escaped('x'.repeat(4000))}"}`);
  assert.equal((await post('/api/v1/contact', form)).status, 200);
});

test('What is not HTTP gets an ApiError with the headers of every response', async () => {
  const server = await sharedServer('en');
  const requests: [string, number][] = [
    ['hello\r\n\r\n', 400],
    ['GET /ask HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ];
  for (const [bytes, status] of requests) {
    const answer = readAnswer(await server.raw(bytes));
    assert.equal(answer.status, status);
    assertHeaders(answer, bytes.slice(0, 20));
    const { ok, code, error, hint } = answer.body;
    assert.deepEqual([ok, code], [false, 'invalid_request']);
    assert.ok(error && hint);
  }
});

test('No error tells of stacks, paths or packages', async () => {
  const server = await sharedServer('en');
  const strange = [
    ...['/%', '/ask?q=%ff', '/ask?q=%', '/..%2f..%2fetc/passwd', '//ask', '/ask?q=a&q=b', '/.well-known/%00'],
  ];
  for (const path of strange) {
    const answer = await server.send(path, { client: newClient() });
    assert.ok(answer.status < 500, path);
    assertHeaders(answer, path);
    if (answer.status >= 400) assert.equal(answer.json.ok, false, path);
    assert.doesNotMatch(answer.status >= 400 ? answer.text : '', LEAK);
  }
});
