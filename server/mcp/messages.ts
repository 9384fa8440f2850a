import { parseJson } from '../../rest/body.ts';
import { keptFromSecond } from '../../rest/response.ts';
import { statusOf } from '../../rest/status.ts';
import { asServiceError, type ErrorCode, errorBody } from '../../tools/errors.ts';
import { RPC } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';

/** `null` is a request too in JSON-RPC 2.0 and the contract; MCP's own clients never send it. */
export type RequestId = string | number | null;

export type Params = Readonly<Record<string, unknown>>;

/** One message of a client, sorted by what it asks of us (JSON-RPC 2.0, sections 4 and 5). */
export interface Message {
  /** A response answers a request that we never send: accepted and dropped. */
  readonly kind: 'request' | 'notification' | 'response';
  /** `null` as well where the kind has none. */
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

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
    throw new RpcError(RPC.parseError, 'Parse error: the message is not valid JSON in UTF-8.', {
      status: 400,
    });
  }
}

/** @throws RpcError -32600 when the value is no single JSON-RPC message, -32602 for a request whose params are no object */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported, send one message a request');
  if (!isRecord(value) || value.jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  const { id = null, method } = value;
  // Some clients write null for what they leave out.
  const params = value.params ?? {};
  const isResponse = method === undefined && 'id' in value && ('result' in value || 'error' in value);
  if (isResponse) return { kind: 'response', id: null, method: '', params: {} };
  if (typeof method !== 'string') throw invalid('method must be a string');
  if (!('id' in value))
    return { kind: 'notification', id: null, method, params: isRecord(params) ? params : {} };
  if (!isRequestId(id)) throw invalid('id must be a string, null or an integer of at most 2^53-1 in size');
  if (!isRecord(params)) throw invalidParams('params must be an object');
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

/** A larger integer is refused: JSON.parse has rounded it, and the answer would name another request (RFC 8259, 6). */
function isRequestId(id: unknown): id is RequestId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}

/** Whatever was thrown outside a tool, as a JSON-RPC error. Most clients show the message alone, so it carries the hint. */
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

/** What a tool answered, as MCP has it: the text of a success is the JSON of its `structuredContent`. */
export interface CallResult {
  readonly [member: string]: unknown;
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** A successful response. The bytes of a result that comes again are kept. */
export function resultBytes(id: RequestId, result: object): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
    render(result),
    END,
  ]);
}

const render = keptFromSecond(
  result => Buffer.from(resultJson(result)),
  ({ length }) => length,
);
const END = Buffer.from('}');

/** To write the same JSON again, as structure, would take as long as all the rest. */
function resultJson({ structuredContent, ...rest }: Partial<CallResult>): string {
  const json = JSON.stringify(rest);
  return structuredContent ? `${json.slice(0, -1)},"structuredContent":${rest.content?.[0].text}}` : json;
}

/** @param id `undefined` leaves it out, as MCP 2026-07-28 does where it is not known; JSON-RPC 2.0 says null */
export function errorText(id: RequestId | undefined, { code, message, data }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}
