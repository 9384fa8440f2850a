// contract: 1.4, 5.1
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertConforms, assertMessage, callTool, NO_SCHEMA, request, send } from './mcp-messages.ts';
import { mirrors, modernCall, sendModern } from './mcp-modern-messages.ts';
import { bodyOf, post, startApp } from './support.ts';

/** Every member name anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

interface Field {
  readonly type: string;
  readonly description: string;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly examples: readonly string[];
}

describe('initialize', () => {
  it('answers protocol version 2025-06-18, whatever version is asked for', async t => {
    const { url } = await startApp(t);
    for (const protocolVersion of [
      '2025-06-18',
      '2025-11-25',
      '2025-03-26',
      '2024-11-05',
      '2026-07-28',
      'x',
      undefined,
    ]) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { status, result } = await send(url, request('initialize', params));
      assert.deepEqual([status, result.protocolVersion], [200, '2025-06-18']);
      assertMessage('InitializeResult', result);
    }
  });

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

describe('ping', () => {
  it('answers an empty result', async t => {
    const { url } = await startApp(t);
    assert.deepEqual((await send(url, request('ping'))).result, {});
    assert.deepEqual((await send(url, request('ping', {}))).result, {});
  });
});

describe('tools/list', () => {
  it('is one page and the same each time', async t => {
    const { url } = await startApp(t);
    const list = async () => (await post(`${url}/mcp`, request('tools/list'))).text();
    const first = await list();
    assert.equal(await list(), first);
    const { result } = JSON.parse(first);
    assert.deepEqual(Object.keys(result), ['tools']);
    assert.equal(result.tools[0].name, 'ask_brand');
    assertMessage('ListToolsResult', result);
  });

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

  it('describes ask_brand: title, one required query with its bounds, and read-only', async t => {
    const { url } = await startApp(t);
    const [tool] = (await send(url, request('tools/list'))).result.tools;
    assert.equal(tool.title, 'Ask Norte Claro');
    const { description, ...query } = tool.inputSchema.properties.query;
    assert.deepEqual(query, { type: 'string', minLength: 1, maxLength: 2000 });
    assert.match(description, /1 to 2000 characters/);
    assert.deepEqual(tool.inputSchema.required, ['query']);
    assert.deepEqual(Object.keys(tool.inputSchema.properties), ['query']);
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    assert.deepEqual(tool.annotations, annotations);
    assert.deepEqual(tool.outputSchema, {
      ...{ type: 'object', required: ['brand', 'query', 'matches'] },
      properties: {
        ...{ brand: { type: 'string' }, query: { type: 'string' }, note: { type: 'string' } },
        matches: tool.outputSchema.properties.matches,
      },
    });
    const { items } = tool.outputSchema.properties.matches;
    assert.deepEqual(Object.keys(items.properties), [
      ...['claim_id', 'statement', 'category', 'metric', 'boundary', 'confidence', 'similarity', 'proofs'],
    ]);
    assert.equal(items.properties.similarity.type, 'number');
    assert.equal(items.properties.proofs.items.type, 'object');
  });

  it('describes the actions: every field required, with bounds and an example; real, and not to be taken back', async t => {
    const { url } = await startApp(t);
    const [, ...actions] = (await send(url, request('tools/list'))).result.tools;
    for (const { inputSchema, outputSchema, annotations } of actions) {
      const { properties, required } = inputSchema;
      assert.deepEqual(Object.keys(properties), required);
      for (const { type, description, minLength = 1, maxLength, examples, ...more } of Object.values<Field>(
        properties,
      )) {
        assert.deepEqual([type, examples.length, more], ['string', 1, {}]);
        assert.match(
          description,
          new RegExp(`\\b${minLength} to ${maxLength} characters|at most ${maxLength} characters`),
        );
        assert.ok(examples.every(example => example.length >= minLength && example.length <= maxLength));
      }
      assert.deepEqual(outputSchema, {
        ...{ type: 'object', required: ['ok', 'message'] },
        properties: { ok: { type: 'boolean' }, message: { type: 'string' }, mode: { type: 'string' } },
      });
      const real = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
      assert.deepEqual(annotations, real);
    }
  });
});

describe('tools/call of ask_brand', () => {
  it('answers the body of /ask as structured content and as the same JSON in text', async t => {
    const { url } = await startApp(t);
    const query = '¿Cuánto cuesta el diagnóstico?';
    const { status, result } = await send(url, callTool('ask_brand', { query }));
    assert.deepEqual([status, Object.keys(result)], [200, ['content', 'structuredContent']]);
    assert.deepEqual(result.structuredContent, await bodyOf(await post(`${url}/ask`, { query })));
    assert.deepEqual(Object.keys(result.structuredContent), ['brand', 'query', 'matches']);
    const stateless = (await sendModern(url, modernCall('ask_brand', { query }))).result;
    assert.deepEqual(stateless.structuredContent, result.structuredContent);
    assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    assertMessage('CallToolResult', result);
    const [tool] = (await send(url, request('tools/list'))).result.tools;
    assertConforms(tool.outputSchema, result.structuredContent);
  });

  it('says in the answer itself that it is weak, on every surface alike', async t => {
    const { url } = await startApp(t);
    const near = 'Nearest only: no claim answers this directly. Say so before you cite one.';
    const seen = new Set<boolean>();
    for (const query of ['¿Cuánto cuesta el diagnóstico?', 'garantía', 'clientes']) {
      const { content, structuredContent } = (await send(url, callTool('ask_brand', { query }))).result;
      const { matches, note } = structuredContent;
      const isWeak = matches[0].similarity < 0.8;
      seen.add(isWeak);
      assert.equal(note, isWeak ? near : undefined, query);
      assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }]);
      assert.deepEqual(await bodyOf(await post(`${url}/ask`, { query })), structuredContent);
      assert.deepEqual(await bodyOf(await fetch(`${url}/ask?${new URLSearchParams({ q: query })}`)), structuredContent);
    }
    assert.equal(seen.size, 2, 'one weak answer and one that is not');
  });

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

  it('reports bad arguments as a result with isError and the body that /ask answers, as text alone', async t => {
    const { url } = await startApp(t);
    for (const args of [{}, { query: ' ' }, { q: 'precio' }, { query: 7 }, { query: 'precio', lang: 'es' }]) {
      const { status, result } = await send(url, callTool('ask_brand', args));
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(result).toSorted(), ['content', 'isError']);
      assert.equal(result.isError, true);
      assert.deepEqual(JSON.parse(result.content[0].text), await bodyOf(await post(`${url}/ask`, args)));
      assertMessage('CallToolResult', result);
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

  it('reports not_configured as isError while no profile is loaded, and the rest goes on', async t => {
    const { url } = await startApp(t, { brand: null });
    const { status, result } = await send(url, callTool('ask_brand', { query: 'precio' }));
    assert.deepEqual([status, result.isError], [200, true]);
    assert.equal(JSON.parse(result.content[0].text).code, 'not_configured');
    assert.equal((await send(url, request('tools/list'))).status, 200);
  });
});

describe('a method that the contract does not name', () => {
  it('is not found: the server declares tools alone', async t => {
    const { url } = await startApp(t);
    for (const method of ['resources/list', 'resources/read', 'resources/templates/list', 'prompts/list'])
      assert.equal((await send(url, request(method))).error.code, -32601, method);
  });
});

describe('every message of the server', () => {
  it('is valid in the JSON Schema of MCP 2025-06-18', { skip: NO_SCHEMA }, () => {
    assertMessage('JSONRPCResponse', { jsonrpc: '2.0', id: 1, result: {} });
    assert.throws(() => assertMessage('JSONRPCResponse', { jsonrpc: '2.0', result: {} }));
    assert.throws(() => assertMessage('CallToolResult', { isError: true }));
  });
});
