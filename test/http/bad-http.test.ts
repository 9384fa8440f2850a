import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { assertDiscreet, exchange, readAnswer, startApp } from '../support/support.ts';

/** Long enough for a good request on a busy machine. */
const TIMEOUTS = { headersTimeout: 2000, requestTimeout: 2500, connectionsCheckingInterval: 50 };

const FIVE = ['ratelimit-policy', 'ratelimit', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** An ApiError `invalid_request` with the headers that every response carries. */
function assertRefusal(received: string, status: number): void {
  const { status: actual, headers, body } = readAnswer(received);
  assert.equal(actual, status, received);
  assertDiscreet(received);
  assert.deepEqual(Object.keys(body), ['ok', 'error', 'code', 'hint']);
  assert.equal(body.code, 'invalid_request');
  assert.equal(headers.get('api-version'), '1');
  for (const name of FIVE) assert.ok(headers.has(name), name);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(Number(headers.get('content-length')), Buffer.byteLength(JSON.stringify(body)));
}

/** Starts the app; `head` completes a request line with the headers of a request that ends its connection. */
async function start(t: TestContext, timeouts = {}) {
  const app = await startApp(t, { timeouts, env: { LIMITS: 'default=1000/60' } });
  t.after(() => assert.deepEqual(app.lines.filter(({ level }) => level !== 'info').map(String), []));
  const head = (line: string, ...headers: string[]) =>
    `${[`${line} HTTP/1.1`, `Host: ${new URL(app.url).host}`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
  const assertAlive = async () => assert.equal((await fetch(`${app.url}/api/v1/status`)).status, 200);
  return { url: app.url, head, assertAlive };
}

const JSON_TYPE = 'Content-Type: application/json';

describe('a request that is no valid HTTP', () => {
  it('has Content-Length and Transfer-Encoding together, or two lengths', async t => {
    const { url, head, assertAlive } = await start(t);
    const smuggled = '0\r\n\r\nGET /api/v1/status HTTP/1.1\r\n\r\n';
    for (const fields of [
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
      ['Content-Length: 5', 'Content-Length: 6'],
    ]) {
      const received = await exchange(url, [head('POST /ask', JSON_TYPE, ...fields), smuggled]);
      assertRefusal(received, 400);
      assert.equal(received.match(/^HTTP/gm)?.length, 1, 'one answer only');
    }
    await assertAlive();
  });
});

describe('a method that no path takes', () => {
  it('is 405 with Allow where HTTP knows it, and no valid HTTP where it does not', async t => {
    const { url, head } = await start(t);
    for (const method of ['PROPFIND', 'TRACE', 'PURGE', 'LOCK', 'CONNECT']) {
      const { status, headers, body } = readAnswer(await exchange(url, [head(`${method} /ask`)]));
      assert.deepEqual([status, body.code], [405, 'method_not_allowed'], method);
      assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    }
    assertRefusal(await exchange(url, [head('FOO /ask')]), 400);
  });
});

describe('OPTIONS of the server in general', () => {
  it('is 204 with Allow; any other method of * is 404', async t => {
    const { url, head } = await start(t);
    const answer = await exchange(url, [head('OPTIONS *')]);
    assert.match(answer, /^HTTP\/1\.1 204 /);
    for (const line of [
      'allow: GET, HEAD, POST, OPTIONS',
      'api-version: 1',
      'ratelimit: "default";r=1000;t=0',
    ])
      assert.ok(answer.includes(`\r\n${line}\r\n`), answer);
    for (const line of ['GET *', 'POST *', 'OPTIONS /*'])
      assert.equal(readAnswer(await exchange(url, [head(line)])).status, 404, line);
  });
});

describe('a slow request', () => {
  it('gets 408 when its headers or its body do not arrive, and the connection closes', async t => {
    const { url, head, assertAlive } = await start(t, TIMEOUTS);
    assertRefusal(await exchange(url, [head('GET /ask?q=precio').slice(0, -2)]), 408);
    const slow = ['/ask', '/mcp'].map(path =>
      exchange(url, [head(`POST ${path}`, JSON_TYPE, 'Content-Length: 40'), '{"query":']),
    );
    for (const received of await Promise.all(slow)) assertRefusal(received, 408);
    await assertAlive();
  });
});

describe('a body over the limit on a raw socket', () => {
  it('is answered with 413 before it has arrived, declared or in chunks, and once it has arrived', async t => {
    const { url, head, assertAlive } = await start(t);
    const megabyte = 'a'.repeat(1024 * 1024);
    for (const path of ['/ask', '/mcp']) {
      const declared = head(`POST ${path}`, JSON_TYPE, 'Content-Length: 1048576');
      const chunked = head(`POST ${path}`, JSON_TYPE, 'Transfer-Encoding: chunked');
      for (const chunks of [
        [declared, megabyte],
        [chunked, `100000\r\n${megabyte}\r\n0\r\n\r\n`],
        [chunked, `100000\r\n${megabyte}`],
      ]) {
        const { status, headers } = readAnswer(await exchange(url, chunks));
        assert.deepEqual(
          [status, headers.get('connection'), headers.get('api-version')],
          [413, 'close', '1'],
        );
      }
    }
    await assertAlive();
  });
});
