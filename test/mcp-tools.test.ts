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

interface Field {
  readonly type: string;
  readonly description: string;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly examples: readonly string[];
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
