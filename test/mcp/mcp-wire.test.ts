import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DIAGNOSTIC, PARTNER } from '../support/submission-support.ts';
import { bodyOf, post, startApp } from '../support/support.ts';
import { assertConforms, assertMessage, callTool, NO_SCHEMA, request } from './mcp-messages.ts';
import { assertModern, META, mirrors, modern, modernCall, NO_MODERN_SCHEMA } from './mcp-modern-messages.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** A message of a client, and the definition in the schema that its answer must have. */
type Exchange<Message> = readonly [message: Message, definition: string];
type Stateless = ReturnType<typeof modern>;

const CALLS: readonly (readonly [name: string, args: unknown])[] = [
  ['ask_brand', { query: '¿Cuánto cuesta el diagnóstico?' }],
  ['ask_brand', { query: '' }],
  ['ask_brand', { query: 7, more: true }],
  ['ask_brand', undefined],
  ['request_diagnostic', DIAGNOSTIC],
  ['request_diagnostic', { ...DIAGNOSTIC, email: 'ana' }],
  ['apply_partner_program', PARTNER],
  ['apply_partner_program', {}],
];

const HANDSHAKE: readonly Exchange<object>[] = [
  [
    request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    'InitializeResult',
  ],
  [request('initialize', { protocolVersion: '1900-01-01' }), 'InitializeResult'],
  [request('ping'), 'EmptyResult'],
  [{ ...request('ping'), id: 'text' }, 'EmptyResult'],
  [request('tools/list'), 'ListToolsResult'],
  ...CALLS.map(([name, args]): Exchange<object> => [callTool(name, args), 'CallToolResult']),
  [request('tools/list', { cursor: 'x' }), 'JSONRPCError'],
  [callTool('unknown'), 'JSONRPCError'],
  [request('resources/list'), 'JSONRPCError'],
  [request('server/discover'), 'JSONRPCError'],
  [{ ...request('ping'), params: [] }, 'JSONRPCError'],
  [{ ...request('ping'), jsonrpc: '1.0' }, 'JSONRPCError'],
];

const STATELESS: readonly Exchange<Stateless>[] = [
  [modern('server/discover'), 'DiscoverResultResponse'],
  [modern('tools/list'), 'ListToolsResultResponse'],
  ...CALLS.map(([name, args]): Exchange<Stateless> => [modernCall(name, args), 'CallToolResultResponse']),
  [modern('tools/list', { cursor: 'x' }), 'InvalidParamsError'],
  [modernCall('unknown', {}), 'InvalidParamsError'],
  [
    modern('tools/list', {}, { ...META, 'io.modelcontextprotocol/clientCapabilities': 1 }),
    'InvalidParamsError',
  ],
  [modern('ping'), 'MethodNotFoundError'],
  [modern('tools/list', {}, { ...META, [VERSION]: 'x' }), 'UnsupportedProtocolVersionError'],
];

/** Over HTTP alone: what the headers decide. */
const HEADERS: readonly (readonly [changed: Record<string, string | undefined>, definition: string])[] = [
  [{ 'mcp-method': 'tools/list' }, 'HeaderMismatchError'],
  [{ 'mcp-name': undefined }, 'HeaderMismatchError'],
  [{ 'content-type': 'text/plain' }, 'InvalidRequestError'],
  [{ origin: 'https://evil.example' }, 'InvalidRequestError'],
];

const MANY = { LIMITS: 'default=1000/60,actions=100/60,actions-service=100/60' };

describe('every message over HTTP', () => {
  it('is valid in the schema of MCP 2025-06-18', { skip: NO_SCHEMA }, async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const [message, definition] of HANDSHAKE)
      assertLegacy(definition, await bodyOf(await post(`${url}/mcp`, message)));
    assertLegacy('JSONRPCError', await refusedRate(t, callTool('ask_brand', { query: 'precio' }), {}));
  });

  it('is valid in the schema of MCP 2026-07-28', { skip: NO_MODERN_SCHEMA }, async t => {
    const { url } = await startApp(t, { env: MANY });
    const answerTo = async (body: unknown, headers: Record<string, string>) =>
      bodyOf(await post(`${url}/mcp`, body, headers));
    for (const [message, definition] of STATELESS) {
      const version = String(message.params._meta[VERSION]);
      assertStateless(
        definition,
        await answerTo(message, mirrors(message, { 'mcp-protocol-version': version })),
      );
    }
    const call = modernCall('ask_brand', { query: 'precio' });
    for (const [changed, definition] of HEADERS)
      assertStateless(definition, await answerTo(call, mirrors(call, changed)));
    assertStateless('ParseError', await answerTo('{', { 'mcp-protocol-version': '2026-07-28' }));
    assertStateless('InvalidRequestError', await answerTo('[]', { 'mcp-protocol-version': '2026-07-28' }));
    assertStateless('JSONRPCErrorResponse', await refusedRate(t, call, mirrors(call)));
  });
});

describe('structured content', () => {
  it('is valid in the outputSchema that tools/list publishes', async t => {
    const { url } = await startApp(t, { env: MANY });
    const resultOf = async (message: object) => (await bodyOf(await post(`${url}/mcp`, message))).result;
    const { tools } = await resultOf(request('tools/list'));
    for (const [name, args] of CALLS) {
      const { structuredContent, isError } = await resultOf(callTool(name, args));
      if (isError) assert.equal(structuredContent, undefined);
      else
        assertConforms(
          tools.find((tool: { name: string }) => tool.name === name).outputSchema,
          structuredContent,
        );
    }
  });
});

/** JSON-RPC answers null where the id cannot be known; the schema of 2025-06-18 has no word for it. */
function assertLegacy(definition: string, answer: Answer | undefined): void {
  assert.ok(answer);
  if ('error' in answer) assert.equal(definition, 'JSONRPCError', answer.error.message);
  assertMessage('error' in answer ? 'JSONRPCError' : 'JSONRPCResponse', { ...answer, id: answer.id ?? 0 });
  if (!('error' in answer)) assertMessage(definition, answer.result);
}

/** The schema writes some errors as whole messages, and those of JSON-RPC as the member `error` alone. */
function assertStateless(definition: string, answer: Answer): void {
  assertModern('error' in answer ? 'JSONRPCErrorResponse' : 'JSONRPCResultResponse', answer);
  assertModern(definition, BARE_ERRORS.has(definition) ? answer.error : answer);
}

const BARE_ERRORS = new Set([
  'ParseError',
  'InvalidRequestError',
  'MethodNotFoundError',
  'InvalidParamsError',
]);

/** What the second request gets where one a minute is allowed. */
async function refusedRate(t: TestContext, message: object, headers: Record<string, string>) {
  const { url } = await startApp(t, { env: { LIMITS: 'default=1/60' } });
  await post(`${url}/mcp`, message, headers);
  const response = await post(`${url}/mcp`, message, headers);
  assert.equal(response.status, 429);
  return bodyOf(response);
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Answer = any;
