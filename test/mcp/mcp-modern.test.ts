import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { post, startApp } from '../support/support.ts';
import { assertConforms, callTool, request, send } from './mcp-messages.ts';
import { modern, modernCall, sendModern } from './mcp-modern-messages.ts';

const MANY = { LIMITS: 'default=1000/60' };
const CALL = callTool('ask_brand', { query: 'precio' });

describe('the headers of a request of MCP 2026-07-28', () => {
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
});

describe('a request whose header alone names MCP 2026-07-28', () => {
  it('misses its `_meta`: 400, -32602; `initialize` and newer versions shake hands', async t => {
    const { url } = await startApp(t, { env: MANY });
    const answerTo = (message: object, version: string) =>
      send(url, message, { 'mcp-protocol-version': version });
    for (const message of [request('tools/list'), request('tools/list', { _meta: {} }), CALL]) {
      const { status, error } = await answerTo(message, '2026-07-28');
      assert.deepEqual([status, error.code], [400, -32602]);
    }
    assert.equal((await answerTo(request('initialize'), '2026-07-28')).result.protocolVersion, '2025-06-18');
    for (const version of ['2025-06-18', '2025-11-25', '2027-01-01'])
      assert.equal((await answerTo(request('tools/list'), version)).result.tools.length, 3, version);
  });
});

describe('both revisions on one endpoint', () => {
  it('list three tools in less than 6,000 bytes', async t => {
    const { url } = await startApp(t);
    const legacy = await (await post(`${url}/mcp`, request('tools/list'))).text();
    const { result } = await sendModern(url, modern('tools/list'));
    for (const { tools } of [JSON.parse(legacy).result, result]) {
      const bytes = Buffer.byteLength(JSON.stringify(tools));
      assert.ok(tools.length >= 3);
      assert.ok(bytes < 6000, `${bytes} bytes`);
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
      for (const { description } of Object.values<{ description: string }>(inputSchema.properties))
        assert.match(description, /\d+ characters\..* Example: \S/);
    }
  });
});

/** Every member name anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

describe('tools/list', () => {
  it('publishes flat schemas without the keywords that hosts reject', async t => {
    const { url } = await startApp(t);
    for (const { name, inputSchema, outputSchema } of (await send(url, request('tools/list'))).result.tools) {
      for (const schema of [inputSchema, outputSchema]) {
        assert.equal(schema.type, 'object');
        const names = new Set(namesIn(schema));
        for (const keyword of ['$schema', '$ref', '$defs', 'definitions', 'pattern', 'format', 'examples']) {
          assert.ok(!names.has(keyword), `${name}: ${keyword}`);
        }
      }
      assert.equal(inputSchema.additionalProperties, false);
    }
  });
});

describe('tools/call of ask_brand', () => {
  it('says in an empty answer what the brand is, how to reach it and which action takes the question', async t => {
    const { url } = await startApp(t);
    const query = '¿Qué tiempo hará mañana en Marte?';
    const { matches, note } = (await send(url, callTool('ask_brand', { query }))).result.structuredContent;
    assert.deepEqual(matches, []);
    assert.match(note, /^No claim answers this\. Say so\./);
    assert.match(
      note,
      /“Consultora española .*” To ask a person: email hola@norteclaro\.example; .* request_diagnostic/,
    );
    const [tool] = (await send(url, request('tools/list'))).result.tools;
    assertConforms(tool.outputSchema, { brand: '', query, matches, note });
  });
});
