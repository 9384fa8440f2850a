import { randomUUID } from 'node:crypto';
import {
  isSpecType,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { parseJson } from '../../rest/body.ts';
import { statusOf } from '../../rest/response.ts';
import { asServiceError, type ErrorCode, errorBody } from '../../tools/errors.ts';
import { isRecord } from '../../tools/object-schema.ts';
import { HANDSHAKE_REVISIONS, METHODS, REVISIONS, RPC } from '../../tools/protocol.ts';

// This room serves MCP over HTTP and stdio, and A2A. A message comes in as bytes; this file checks that it is
// one JSON-RPC message, before the official SDK answers it: the SDK drops some malformed messages and answers
// others with the text of its schema library. Out goes a JSON-RPC response.

/** JSON-RPC 2.0 and the contract allow null. MCP's own clients never send it. */
export type RequestId = string | number | null;

/** One message of a client (JSON-RPC 2.0, sections 4 and 5). */
export interface Message {
  /** Absent where nothing is answered: in a notification, or a response, whose method is empty. */
  readonly id?: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface RpcErrorDetails {
  /** HTTP status. Default: 200. */
  readonly status?: number;
  readonly data?: unknown;
}

/** A protocol error. Failures of a tool are results, not errors. */
export class RpcError extends ProtocolError {
  readonly status: number;

  constructor(code: number, message: string, { status = 200, data }: RpcErrorDetails = {}) {
    super(code, message, data);
    // The log takes errors of this name for answers, not for faults.
    this.name = 'RpcError';
    this.status = status;
  }
}

export function invalid(rule: string): RpcError {
  return new RpcError(RPC.invalidRequest, `Invalid request: ${rule}.`, { status: 400 });
}

export function invalidParams(rule: string): RpcError {
  return new RpcError(RPC.invalidParams, `Invalid params: ${rule}.`);
}

/** @throws RpcError -32700 when the bytes are not JSON in UTF-8 */
export function parseMessage(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    throw new RpcError(RPC.parseError, 'Parse error: the message is not valid JSON in UTF-8.', {
      status: 400,
    });
  }
}

/**
 * Reads a parsed value as one JSON-RPC message. Members of `params` that are null count as left out.
 * @throws RpcError -32600 when the value is no single JSON-RPC message, -32602 for a request whose params are
 * no object
 * @example readMessage({ jsonrpc: '2.0', id: 1, method: 'ping' }); // id: 1, method: 'ping', params: {}
 */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported, send one message a request');
  if (!isRecord(value) || value.jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  const { method, id } = value;
  const isResponse = method === undefined && 'id' in value && ('result' in value || 'error' in value);
  if (isResponse) return { method: '', params: {} };
  if (typeof method !== 'string') throw invalid('method must be a string');
  const params = value.params ?? {};
  if (!('id' in value)) return { method, params: isRecord(params) ? params : {} };
  if (!isRequestId(id)) throw invalid('id must be a string, null or an integer of at most 2^53-1 in size');
  if (!isRecord(params)) throw invalidParams('params must be an object');
  const entries = Object.entries(params).filter(([, member]) => member !== null);
  return { id, method, params: Object.fromEntries(entries) };
}

/** The id in a value of any shape, for an error before the message is read. */
export function idOf(value: unknown): RequestId {
  return isRecord(value) && isRequestId(value.id) ? value.id : null;
}

/**
 * Refuses larger integers: JSON.parse has rounded them, so the answer would name another request (RFC 8259,
 * 6).
 */
function isRequestId(id: unknown): id is RequestId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}

/** What `initialize` asks for besides a version. Some clients leave it out, and nothing here reads it. */
const HELLO = { capabilities: {}, clientInfo: { name: 'unknown', version: 'unknown' } };

/**
 * Whether a request is of MCP 2026-07-28, which names its version in `_meta`. If only the header names it, the
 * SDK refuses the request. `isLegacyRequest` of the SDK would refuse newer headers too.
 */
export function isStateless({ id, method, params }: Message, header?: string | null): boolean {
  if (id === undefined) return false;
  const version = isRecord(params._meta) ? params._meta[PROTOCOL_VERSION_META_KEY] : undefined;
  if (version === undefined) return method !== 'initialize' && header === REVISIONS.stateless;
  return !HANDSHAKE_REVISIONS.some(revision => revision === version);
}

/**
 * Makes a request for the SDK. An id that is null, which the SDK refuses, becomes a random one.
 * @throws RpcError -32601 for an unknown method, -32602 for params that do not fit the method
 */
export function sdkRequest({ id, method, params }: Message, isModern: boolean): JSONRPCRequest {
  const methods: readonly string[] = isModern ? METHODS.stateless : METHODS.handshake;
  if (!methods.includes(method)) {
    throw new RpcError(RPC.methodNotFound, `Method not found. The methods are ${methods.join(', ')}.`, {
      status: isModern ? 404 : 200,
    });
  }
  const hello = { ...HELLO, protocolVersion: String(params.protocolVersion) };
  const request = {
    jsonrpc: '2.0',
    id: id ?? randomUUID(),
    method,
    params: method === 'initialize' ? hello : params,
  };
  // The SDK would answer a call with the text of its schema library.
  if (
    !isSpecType.JSONRPCRequest(request) ||
    (method === 'tools/call' && !isSpecType.CallToolRequest(request))
  )
    throw invalidParams(`params do not fit ${method}`);
  return request;
}

/**
 * Makes a JSON-RPC error of anything thrown outside a tool. The message has the hint, because most clients
 * show only the message.
 */
export function asRpcError(fault: unknown): RpcError {
  if (fault instanceof RpcError) return fault;
  const error = asServiceError(fault);
  return new RpcError(RPC_CODES[error.code] ?? RPC.internalError, `${error.message} ${error.hint}`, {
    status: statusOf(error),
    data: errorBody(error),
  });
}

const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  rate_limited: RPC.rateLimited,
  invalid_request: RPC.invalidRequest,
  validation_error: RPC.invalidParams,
  missing_query: RPC.invalidParams,
};

/**
 * The JSON of an error response.
 * @param id undefined leaves it out (MCP 2026-07-28); null stands for an unknown one (JSON-RPC 2.0)
 */
export function errorText(id: RequestId | undefined, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}
