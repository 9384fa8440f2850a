import assert from 'node:assert/strict';
import { post } from '../support/support.ts';
import { mcpSchema } from './mcp-schema.ts';

export const { missing: NO_MODERN_SCHEMA, holds: assertModern } = mcpSchema('2026-07-28', '$defs');

/** What every request of MCP 2026-07-28 says about itself. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of MCP 2026-07-28 with id 1. */
export const modern = (
  method: string,
  params: object = {},
  meta: Readonly<Record<string, unknown>> = META,
) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: meta },
});

type Modern = ReturnType<typeof modern>;

export const modernCall = (name: string, args: unknown) => modern('tools/call', { name, arguments: args });

/** The headers that mirror a request; `undefined` in `changed` leaves one out. */
export function mirrors({ method, params }: Modern, changed: Record<string, string | undefined> = {}) {
  const name = 'name' in params ? String(params.name) : 'uri' in params ? String(params.uri) : undefined;
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': name,
    ...changed,
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Sends a request as MCP 2026-07-28 does, and holds the answer against its schema. */
export async function sendModern(url: string, message: Modern, changed?: Record<string, string | undefined>) {
  const response = await post(`${url}/mcp`, message, mirrors(message, changed));
  const answer = JSON.parse(await response.text());
  assertModern('error' in answer ? 'JSONRPCErrorResponse' : 'JSONRPCResultResponse', answer);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return { status: response.status, headers: response.headers, ...answer };
}
