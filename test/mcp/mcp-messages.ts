import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROOT } from '../support/folder.ts';
import { post } from '../support/support.ts';

const SCHEMAS = {
  '2025-06-18': schemaOf('2025-06-18', new Ajv({ strict: false, validateFormats: false })),
  '2026-07-28': schemaOf('2026-07-28', new Ajv2020({ strict: false, validateFormats: false })),
};

/** The schema of a revision of MCP, which is no part of the project. */
function schemaOf(revision: string, ajv: Ajv | Ajv2020): Ajv | Ajv2020 | undefined {
  const file = `${ROOT}../shared/schemas/mcp-${revision}.schema.json`;
  return existsSync(file) ? ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'mcp') : undefined;
}

/** For `skip`: why messages are not compared with the schemas. */
export const NO_SCHEMAS =
  Object.values(SCHEMAS).includes(undefined) &&
  'needs ../shared/schemas/mcp-REVISION.schema.json (modelcontextprotocol, schema/REVISION)';

/** Compares a value with a definition of the schema, e.g. `CallToolResult`, if the schema is there. */
export function assertMessage(revision: keyof typeof SCHEMAS, definition: string, value: unknown): void {
  const place = revision === '2025-06-18' ? 'definitions' : '$defs';
  const validate = SCHEMAS[revision]?.getSchema(`mcp#/${place}/${definition}`);
  assert.ok(!SCHEMAS[revision] || validate, definition);
  assert.ok(
    !validate || validate(value),
    `${definition}: ${SCHEMAS[revision]?.errorsText(validate?.errors)}`,
  );
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

/** Sends a body to POST /mcp. */
export async function exchangeJson(url: string, body: unknown, headers: Record<string, string>) {
  const response = await post(`${url}/mcp`, body, headers);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return { response, message: JSON.parse(await response.text()) };
}

/** Sends a body to POST /mcp, and compares the answer with JSON-RPC and the MCP schema. */
export async function send(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { response, message } = await exchangeJson(url, body, headers);
  assertResponse(message);
  return { status: response.status, headers: response.headers, ...message };
}

/** One JSON-RPC response: a result or an error, never both. */
export function assertResponse(message: Record<string, unknown>): void {
  const members = ['error' in message ? 'error' : 'result', 'id', 'jsonrpc'];
  assert.deepEqual(new Set(Object.keys(message)), new Set(members));
  // JSON-RPC answers null where the id cannot be known; the MCP schema has no word for it.
  const identified = message.id === null ? { ...message, id: 0 } : message;
  assertMessage('2025-06-18', 'error' in message ? 'JSONRPCError' : 'JSONRPCResponse', identified);
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
