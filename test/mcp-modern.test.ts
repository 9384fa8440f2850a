import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { META, modern, modernCall, sendModern } from './mcp-modern-messages.ts';
import { bodyOf, post, startApp } from './support.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const MANY = { LIMIT_DEFAULT: '1000/60' };

const without = (key: string) => Object.fromEntries(Object.entries(META).filter(([name]) => name !== key));

describe('a request of MCP 2026-07-28', () => {
  it('lists the tools of the handshake, and says how long the list holds', async t => {
    const { url } = await startApp(t);
    const { result } = await sendModern(url, modern('tools/list'));
    const legacy = await bodyOf(await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    assert.deepEqual(result.tools, legacy.result.tools);
    assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', 3_600_000, 'public']);
  });

  it('calls a tool, whose answer is that of /ask, first time and every time', async t => {
    const { url } = await startApp(t);
    const query = 'precio';
    const expected = await bodyOf(await fetch(`${url}/ask?q=${query}`));
    for (let time = 1; time <= 4; time += 1) {
      const { status, id, result } = await sendModern(url, modernCall('ask_brand', { query }));
      assert.deepEqual([status, id, result.resultType], [200, 1, 'complete']);
      assert.deepEqual(result.structuredContent, expected);
      assert.deepEqual(JSON.parse(result.content[0].text), expected);
    }
  });

  it('needs no handshake and no session, and gets none', async t => {
    const { url } = await startApp(t);
    const { headers } = await sendModern(url, modern('tools/list'), { 'mcp-session-id': 'abc' });
    assert.equal(headers.get('mcp-session-id'), null);
  });
});

describe('a request of MCP 2026-07-28 that cannot be served', () => {
  it('names a method that this revision has not: 404, -32601, with the limits', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'prompts/list',
      'subscriptions/listen',
      'toString',
    ]) {
      const { status, id, error, headers } = await sendModern(url, modern(method));
      assert.deepEqual([status, id, error.code], [404, 1, -32601], method);
      assert.ok(headers.has('ratelimit'));
    }
  });

  it('has params that are wrong: unknown tool, no name, unknown cursor: 200, -32602', async t => {
    const { url } = await startApp(t);
    for (const message of [
      modernCall('ask', {}),
      modern('tools/call'),
      modern('tools/call', { name: 7 }),
      modern('tools/list', { cursor: 'abc' }),
    ]) {
      const { status, error } = await sendModern(url, message, { 'mcp-name': 'ask' });
      assert.deepEqual([status, error.code], [200, -32602]);
    }
  });

  it('is of a version that is not served: 400, -32022 with what is', async t => {
    const { url } = await startApp(t);
    for (const requested of ['v999.0.0', '2027-01-01', '2025-11-25', '']) {
      const message = modern('server/discover', {}, { ...META, [VERSION]: requested });
      const { status, id, error } = await sendModern(url, message, { 'mcp-protocol-version': requested });
      assert.deepEqual([status, id, error.code], [400, 1, -32022]);
      assert.deepEqual(error.data, { supported: ['2026-07-28', '2025-06-18'], requested });
    }
  });

  it('has an incomplete envelope: 400, -32602', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const message of [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} },
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: 'x' } },
      modern('tools/list', {}, {}),
      modern('tools/list', {}, without(VERSION)),
      modern('tools/list', {}, without(CAPABILITIES)),
      modern('tools/list', {}, { ...META, [CAPABILITIES]: [] }),
    ]) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': message.method };
      const response = await post(`${url}/mcp`, message, headers);
      const { id, error } = await bodyOf(response);
      assert.deepEqual([response.status, id, error.code], [400, 1, -32602], JSON.stringify(message));
      assert.equal(response.headers.get('ratelimit'), null);
      assert.equal(response.headers.get('api-version'), '1');
    }
  });
});

describe('the headers of a request of MCP 2026-07-28', () => {
  it('must be there: 400, -32020', async t => {
    const { url } = await startApp(t);
    for (const header of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
      const { status, id, error } = await sendModern(url, modernCall('ask_brand', { query: 'precio' }), {
        [header]: undefined,
      });
      assert.deepEqual([status, id, error.code], [400, 1, -32020], header);
    }
  });

  it('must say what the body says: 400, -32020', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const changed of [
      { 'mcp-protocol-version': '2025-06-18' },
      { 'mcp-protocol-version': '2027-01-01' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'Tools/Call' },
      { 'mcp-name': 'request_diagnostic' },
      { 'mcp-name': 'ask_brand, ask_brand' },
      { 'mcp-name': '=?base64?cmVxdWVzdF9kaWFnbm9zdGlj?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5k!!?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5?=' },
      { 'mcp-name': '=?base64?YXNr X2JyYW5k?=' },
      { 'mcp-name': '=?base64?YXNrX2JyYW5k' },
    ]) {
      const { status, error } = await sendModern(url, modernCall('ask_brand', { query: 'precio' }), changed);
      assert.deepEqual([status, error.code], [400, -32020], JSON.stringify(changed));
    }
  });

  it('may carry the name in base64 and stand in any letter case', async t => {
    const { url } = await startApp(t);
    const message = modernCall('ask_brand', { query: 'precio' });
    const encoded = `=?base64?${Buffer.from('ask_brand').toString('base64')}?=`;
    assert.equal((await sendModern(url, message, { 'mcp-name': encoded })).status, 200);
    const shouted = { 'mcp-name': undefined, 'MCP-NAME': ' ask_brand ' };
    assert.equal((await sendModern(url, message, shouted)).status, 200);
  });
});

describe('both revisions on one endpoint', () => {
  it('keep the handshake as it was: no resultType, no ttlMs, no _meta', async t => {
    const { url } = await startApp(t);
    for (const method of ['initialize', 'ping', 'tools/list']) {
      const { result } = await bodyOf(await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method }));
      for (const member of ['resultType', 'ttlMs', 'cacheScope', '_meta']) assert.ok(!(member in result), method);
    }
  });

  it('serve an envelope that names 2025-06-18 as the handshake is served', async t => {
    const { url } = await startApp(t);
    const meta = { ...META, [VERSION]: '2025-06-18' };
    const answer = await bodyOf(
      await post(`${url}/mcp`, modern('ping', {}, meta), { 'mcp-protocol-version': '2025-06-18' }),
    );
    assert.deepEqual(answer, { jsonrpc: '2.0', id: 1, result: {} });
  });

  it('take a progress token in _meta for no envelope', async t => {
    const { url } = await startApp(t);
    const answer = await bodyOf(await post(`${url}/mcp`, modern('ping', {}, { progressToken: 1 })));
    assert.deepEqual(answer.result, {});
  });

  it('list three tools in less than 6,000 bytes', async t => {
    const { url } = await startApp(t);
    const legacy = await (await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).text();
    const { jsonrpc, id, result } = await sendModern(url, modern('tools/list'));
    for (const text of [legacy, JSON.stringify({ jsonrpc, id, result })]) {
      assert.equal(JSON.parse(text).result.tools.length, 3);
      assert.ok(Buffer.byteLength(text) < 6000, `${Buffer.byteLength(text)} bytes`);
    }
  });

  it('describe each tool so that its description alone is enough', async t => {
    const { url } = await startApp(t);
    const { result } = await sendModern(url, modern('tools/list'));
    const [ask, ...actions] = result.tools;
    for (const part of [/Answers a question/, /boundary/, /similarity/, /claim_id/, /Not for/, /Read-only/])
      assert.match(ask.description, part);
    for (const { description, inputSchema } of actions) {
      for (const part of [/Emails/, /48 hours/, /no sandbox/, /consent/, /Returns ok/, /Not for/])
        assert.match(description, part);
      for (const field of Object.values<{ description: string; examples: string[] }>(inputSchema.properties)) {
        assert.match(field.description, /\d+ characters/);
        assert.equal(field.examples.length, 1);
      }
    }
  });
});
