import { parseJson } from '../../rest/http/body.ts';
import type { JsonBody } from '../../rest/http/reply.ts';
import { asServiceError, type ErrorCode, errorBody } from '../../tools/errors.ts';
import { RPC } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import { resultBody } from './tool-result.ts';

export type RequestId = string | number | null;

export interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

/** One message of a client, sorted by what it asks of us (JSON-RPC 2.0, sections 4 and 5). */
export type Message =
  | Request
  | { readonly kind: 'notification'; readonly method: string }
  /** An answer to a request that we never send; accepted and dropped. */
  | { readonly kind: 'response' };

interface RpcErrorDetails {
  /** HTTP status where the error travels over HTTP: 200 unless the message itself could not be used. */
  readonly status?: number;
  readonly data?: unknown;
}

/** A protocol error. Faults of a tool are results instead. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, { status = 200, data }: RpcErrorDetails = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** @throws RpcError -32700 when the bytes are not JSON in UTF-8 */
export function parseMessage(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    throw new RpcError(RPC.parseError, 'Parse error: the message is not valid JSON in UTF-8.', { status: 400 });
  }
}

/** @throws RpcError -32600 when the value is no single JSON-RPC message */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported, send one message a request');
  if (!isRecord(value) || value.jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  const { id, method, params } = value;
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string') throw invalid('method must be a string');
  if (id === undefined) return { kind: 'notification', method };
  if (!isRequestId(id)) throw invalid('id must be a string, an integer or null');
  return { kind: 'request', id, method, params };
}

export function invalid(rule: string): RpcError {
  return new RpcError(RPC.invalidRequest, `Invalid request: ${rule}.`, { status: 400 });
}

/** @param status 400 where MCP 2026-07-28 calls the whole request malformed */
export function invalidParams(rule: string, status = 200): RpcError {
  return new RpcError(RPC.invalidParams, `Invalid params: ${rule}.`, { status });
}

/** The id of whatever was sent, for an error that must be answered before the message is read. */
export function idOf(value: unknown): RequestId {
  return isRecord(value) && isRequestId(value.id) ? value.id : null;
}

/** Whatever was thrown outside a tool, as a JSON-RPC error. Most clients show the message alone, so it carries the hint. */
export function asRpcError(fault: unknown): RpcError {
  if (fault instanceof RpcError) return fault;
  const error = asServiceError(fault);
  return new RpcError(RPC_CODES[error.code] ?? RPC.internalError, `${error.message} ${error.hint}`, {
    status: error.status,
    data: errorBody(error),
  });
}

/** A successful response. */
export function responseBody(id: RequestId, result: object): JsonBody {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  const body = resultBody(result);
  return typeof body === 'string' ? `${head}${body}}` : Buffer.concat([Buffer.from(head), body, CLOSE]);
}

const CLOSE = Buffer.from('}');

/** @param id `undefined` leaves it out, as MCP 2026-07-28 does where it is not known; JSON-RPC 2.0 says null */
export function errorText(id: RequestId | undefined, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  rate_limited: RPC.rateLimited,
  invalid_request: RPC.invalidRequest,
};

function isRequestId(id: unknown): id is RequestId {
  return id === null || typeof id === 'string' || Number.isInteger(id);
}
