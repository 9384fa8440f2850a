// contract: 1.4, 5.1
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertConforms, callTool, request, send } from './mcp-messages.ts';
import { mirrors, modernCall } from './mcp-modern-messages.ts';
import { post, startApp } from './support.ts';

/** Every member name anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

describe('initialize', () => {
  it('names the server, its tools capability and what it is for', async t => {
    const { url } = await startApp(t);
    const { result } = await send(url, request('initialize'));
    assert.deepEqual(result.capabilities, { tools: {} });
    assert.equal(result.serverInfo.name, 'aval');
    assert.match(result.instructions, /^Ask about Norte Claro with ask_brand\b/);
    assert.ok(result.instructions.length <= 2048, 'one host shows no more');
  });

  it('is not needed before other requests: there is no session', async t => {
    const { url } = await startApp(t);
    const { status, headers } = await send(url, request('ping'), { 'mcp-session-id': 'of another server' });
    assert.deepEqual([status, headers.get('mcp-session-id')], [200, null]);
  });
});

describe('tools/list', () => {
  it('publishes flat schemas without the keywords that hosts reject', async t => {
    const { url } = await startApp(t);
    for (const { name, inputSchema, outputSchema } of (await send(url, request('tools/list'))).result.tools) {
      for (const schema of [inputSchema, outputSchema]) {
        assert.equal(schema.type, 'object');
        const names = new Set(namesIn(schema));
        for (const keyword of ['$schema', '$ref', '$defs', 'definitions', 'pattern', 'format']) {
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
    const query = 'Portugal';
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

  it('answers a repeated question with the same bytes each time, in either revision, on REST too', async t => {
    const { url } = await startApp(t);
    const onRest = { query: '¿Qué márgenes mejoráis en alimentación?' };
    const call = callTool('ask_brand', { query: '¿Qué márgenes mejoráis en moda?' });
    const alone = modernCall('ask_brand', { query: '¿Qué márgenes mejoráis en farmacia?' });
    const asked: Readonly<Record<string, () => Promise<Response>>> = {
      REST: () => post(`${url}/ask`, onRest),
      '2025-06-18': () => post(`${url}/mcp`, call),
      '2026-07-28': () => post(`${url}/mcp`, alone, mirrors(alone)),
    };
    for (const [surface, ask] of Object.entries(asked)) {
      const first = await (await ask()).text();
      for (let time = 2; time <= 4; time += 1) assert.equal(await (await ask()).text(), first, `${surface}, ${time}`);
    }
  });

  it('takes missing arguments for none, and says what is missing in words of this surface', async t => {
    const { url } = await startApp(t);
    const body = async (name: string, args: unknown) => {
      const { result } = await send(url, callTool(name, args));
      assert.equal(result.isError, true);
      return JSON.parse(result.content[0].text);
    };
    for (const args of [undefined, null, {}]) {
      const { code, hint } = await body('ask_brand', args);
      assert.equal(code, 'missing_query');
      assert.equal(hint, 'Send the question as query, a text of 1 to 2000 characters.');
      const { issues } = await body('request_diagnostic', args);
      assert.deepEqual(
        issues,
        ['name', 'email', 'company', 'role', 'country', 'context'].map(field => `${field}: required`),
      );
    }
  });

  it('refuses arguments that are no object: -32602', async t => {
    const { url } = await startApp(t);
    for (const args of [[], 'precio', 7, true]) {
      const { status, error } = await send(url, callTool('ask_brand', args));
      assert.deepEqual([status, error.code], [200, -32602]);
      assert.match(error.message, /arguments must be an object/);
    }
  });
});
