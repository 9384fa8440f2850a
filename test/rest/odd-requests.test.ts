import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { callTool } from '../mcp/mcp-messages.ts';
import { exampleBrand } from '../support/example.ts';
import { assertRefused, bodyOf, exchange, post, startApp } from '../support/support.ts';

/** Sends one request as raw header lines and resolves with everything that came back. */
async function raw(
  t: TestContext,
  line: string,
  headers: readonly string[],
  env: Record<string, string> = {},
) {
  const { url, lines } = await startApp(t, { env });
  const all = [`Host: ${new URL(url).host}`, 'Connection: close', ...headers];
  return { lines, received: await exchange(url, [`${[`${line} HTTP/1.1`, ...all].join('\r\n')}\r\n\r\n`]) };
}

describe('a request that two servers could read in two ways', () => {
  it('is refused where it has two Host headers, equal ones too, on /mcp in its own terms', async t => {
    const refused = await raw(t, 'GET /ask?q=precio', ['Host: 127.0.0.1']);
    assert.match(refused.received, /^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/);
    const { received } = await raw(t, 'POST /mcp', ['Host: 127.0.0.1', 'Content-Length: 0']);
    assert.match(received, /^HTTP\/1\.1 400 [\s\S]*"jsonrpc":"2\.0","id":null,"error":\{"code":-32600/);
  });

  it('is refused where its body is encoded in transfer besides being chunked', async t => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked'];
    const { received } = await raw(t, 'POST /ask', headers);
    assert.match(received, /^HTTP\/1\.1 400 /);
  });

  it('with 128 headers or more is refused: nobody read those after them, X-Forwarded-For perhaps among them', async t => {
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `A${index}: b`);
    for (const count of [128, 31_900]) {
      const { received } = await raw(t, 'GET /ask?q=precio', headers(count));
      assert.match(received, /^HTTP\/1\.1 431 /);
      assert.match(received, /"code":"invalid_request"/);
      assert.match(received, /\r\nconnection: close\r\n/);
    }
    const { lines, received } = await raw(t, 'GET /ask?q=precio', [
      ...headers(120),
      'X-Forwarded-For: 198.51.100.7',
    ]);
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.ok(lines.some(({ event, fix }) => event === 'proxy' && /TRUSTED_PROXIES/.test(String(fix))));
  });
});

describe('X-Forwarded-For of a proxy that nobody trusts', () => {
  it('is said in the log, once, with the setting', async t => {
    const { url, lines } = await startApp(t);
    for (let i = 0; i < 3; i += 1)
      await fetch(`${url}/ask?q=precio`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    const said = lines.filter(({ event }) => event === 'proxy');
    assert.equal(said.length, 1);
    assert.equal(said[0]?.level, 'warn');
    assert.doesNotMatch(JSON.stringify(lines), /198\.51/);
  });
});

describe('a fault that nobody foresaw', () => {
  const broken = async (): Promise<ServedBrand> => {
    const brand = await exampleBrand();
    const failure = () => Promise.reject(new TypeError('secret: ana@example.es'));
    return { ...brand, ask: (query, asker) => (asker ? failure() : brand.ask(query)) };
  };

  it('in a tool is logged over MCP as over REST, and without its words', async t => {
    const { url, lines } = await startApp(t, { brand: await broken() });
    const call = callTool('ask_brand', { query: 'x' });
    await assertRefused(fetch(`${url}/ask?q=precio`), 'not_configured', 503);
    assert.equal((await bodyOf(await post(`${url}/mcp`, call))).result.isError, true);
    const said = lines.filter(({ event }) => event === 'unforeseen');
    assert.deepEqual(
      said.map(({ level, route, cause }) => [level, route, cause]),
      [
        ['error', '/ask', 'TypeError'],
        ['error', '/mcp', 'TypeError'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(lines), /secret|example\.es/);
  });

  it('is none where a client sent what is no JSON-RPC, or a method that nobody has: that would alarm', async t => {
    const { url, lines } = await startApp(t);
    for (const path of ['/mcp', '/a2a']) {
      for (const message of [[], { jsonrpc: '2.0', id: 1, method: 'nobody/has' }])
        assert.ok((await bodyOf(await post(`${url}${path}`, message))).error.code < 0);
    }
    assert.deepEqual(
      lines.filter(({ event }) => event === 'unforeseen'),
      [],
    );
  });
});
