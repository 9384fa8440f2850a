import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { post } from '../support/support.ts';
import { mcpSchema } from './mcp-schema.ts';

export const { missing: NO_SCHEMA, holds: assertMessage } = mcpSchema('2025-06-18', 'definitions');

const ajv = new Ajv({ strict: false, validateFormats: false });

/** A value against a JSON Schema of ours. */
export function assertConforms(schema: object, value: unknown): void {
  assert.ok(ajv.validate(schema, value), ajv.errorsText());
}

/** What POST /mcp answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly result: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly error: any;
}

/** Sends a body to POST /mcp, and holds the answer against JSON-RPC and the MCP schema. */
export async function send(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await post(`${url}/mcp`, body, headers);
  const message = JSON.parse(await response.text());
  assertResponse(message);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return { status: response.status, headers: response.headers, ...message };
}

/** One JSON-RPC response: a result or an error, never both. */
export function assertResponse(message: Record<string, unknown>): void {
  const members = ['error' in message ? 'error' : 'result', 'id', 'jsonrpc'];
  assert.deepEqual(new Set(Object.keys(message)), new Set(members));
  // JSON-RPC answers null where the id cannot be known; the MCP schema has no word for it.
  const identified = message.id === null ? { ...message, id: 0 } : message;
  assertMessage('error' in message ? 'JSONRPCError' : 'JSONRPCResponse', identified);
}

/** A request with id 1. */
export const request = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
});

export const callTool = (name: string, args?: unknown, id: string | number | null = 1) => ({
  ...request('tools/call', { name, ...(args !== undefined && { arguments: args }) }),
  id,
});
