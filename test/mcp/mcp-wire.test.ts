import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { DIAGNOSTIC, MANY, PARTNER } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { assertMessage, callTool, NO_SCHEMAS, request, send } from './mcp-messages.ts';
import { META, modern, modernCall, sendModern } from './mcp-modern-messages.ts';

const CALLS: readonly (readonly [name: string, args: unknown])[] = [
  ['ask_brand', { query: '¿Cuánto cuesta el diagnóstico?' }],
  ['ask_brand', { query: '¿Qué tiempo hará mañana en Marte?' }],
  ['ask_brand', { query: 7, more: true }],
  ['ask_brand', undefined],
  ['request_diagnostic', DIAGNOSTIC],
  ['apply_partner_program', PARTNER],
  ['apply_partner_program', {}],
];

/** Messages of a client, each with the definition in the schema that its answer has. */
const HANDSHAKE = [
  [request('initialize'), 'InitializeResult'],
  [request('ping'), 'EmptyResult'],
  [request('tools/list'), 'ListToolsResult'],
  ...CALLS.map(([name, args]) => [callTool(name, args), 'CallToolResult'] as const),
] as const;

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const STATELESS = [
  [modern('server/discover'), 'DiscoverResultResponse'],
  [modern('tools/list'), 'ListToolsResultResponse'],
  ...CALLS.map(([name, args]) => [modernCall(name, args), 'CallToolResultResponse'] as const),
  [modern('tools/list', {}, { ...META, [VERSION]: 'x' }), 'UnsupportedProtocolVersionError'],
] as const;

/** These are the schema's definitions of the member `error` alone. */
const ERRORS = [
  [modern('tools/list', { cursor: 'x' }), 'InvalidParamsError'],
  [modernCall('unknown', {}), 'InvalidParamsError'],
  [modern('ping'), 'MethodNotFoundError'],
] as const;

describe('every answer over HTTP', { skip: NO_SCHEMAS }, () => {
  it('is valid in the schema of MCP 2025-06-18', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const [message, definition] of HANDSHAKE)
      assertMessage('2025-06-18', definition, (await send(url, message)).result);
  });

  it('is valid in the schema of MCP 2026-07-28', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const [message, definition] of STATELESS) {
      const { status: _, headers: __, ...answer } = await sendModern(url, message);
      assertMessage('2026-07-28', definition, answer);
    }
    for (const [message, definition] of ERRORS)
      assertMessage('2026-07-28', definition, (await sendModern(url, message)).error);
    await sendModern(url, modern('ping'), { origin: 'https://evil.example' });
  });
});

describe('a request', () => {
  it('whose _meta names 2025-06-18 is answered as one of that revision', async t => {
    const { url } = await startApp(t);
    const { status, result } = await send(url, request('ping', { _meta: { [VERSION]: '2025-06-18' } }));
    assert.deepEqual([status, result], [200, {}]);
  });
});

describe('tools/list', () => {
  it('publishes schemas in which what the tools answer is valid', async t => {
    const { url } = await startApp(t, { env: MANY });
    const { tools } = (await send(url, request('tools/list'))).result;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [name, args] of CALLS) {
      const { structuredContent, isError } = (await send(url, callTool(name, args))).result;
      const { outputSchema } = tools.find((tool: { name: string }) => tool.name === name);
      assert.ok(isError || ajv.validate(outputSchema, structuredContent), ajv.errorsText());
    }
  });

  it('is small, and has flat schemas without the keywords that hosts reject', async t => {
    const { url } = await startApp(t);
    const { tools } = (await send(url, request('tools/list'))).result;
    assert.deepEqual((await sendModern(url, modern('tools/list'))).result.tools, tools);
    assert.ok(Buffer.byteLength(JSON.stringify(tools)) < 6000);
    for (const { name, description, inputSchema, outputSchema } of tools) {
      // The bounds of Google's and OpenAI's function declarations, with a server's name before the tool's.
      assert.match(`mcp__a_brand_with_a_long_name__${name}`, /^[A-Za-z_][\w-]{0,62}$/);
      assert.ok(description.length <= 1024, name);
      assert.deepEqual(inputSchema.required, Object.keys(inputSchema.properties), name);
      assert.equal(inputSchema.additionalProperties, false);
      const names = new Set([...namesIn(inputSchema), ...namesIn(outputSchema)]);
      for (const keyword of ['$schema', '$ref', '$defs', 'definitions', 'pattern', 'format', 'examples'])
        assert.ok(!names.has(keyword), `${name}: ${keyword}`);
    }
  });
});

/** Every member name anywhere in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}
