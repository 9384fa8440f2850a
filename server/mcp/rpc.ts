import { type H3Event, HTTPResponse } from 'h3';
import { readBody, requireJson } from '../../rest/body.ts';
import { errorHeaders, errorResponse, jsonResponse, statusOf } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import { REVISIONS } from '../../tools/protocol.ts';
import {
  type asRpcError,
  errorText,
  idOf,
  type Message,
  parseMessage,
  type RequestId,
  readMessage,
} from './messages.ts';

export interface RpcEndpoint {
  readonly bucket: 'mcp' | 'a2a';
  /** Makes the error of a fault. */
  readonly asError: typeof asRpcError;
  /** Called before the message takes its slot. */
  readonly onMessage?: (message: Message, event: H3Event) => void;
  /** @throws RpcError, ServiceError */
  readonly answer: (message: Message, event: H3Event) => Promise<HTTPResponse>;
}

/** Answers a POST with one JSON-RPC message in it (MCP and A2A). Every error names the request's id. */
export async function receiveRpc(event: H3Event, endpoint: RpcEndpoint): Promise<HTTPResponse> {
  const { bucket, asError, onMessage, answer } = endpoint;
  const { admission, log } = event.context;
  let id: RequestId = null;
  try {
    const message = await readRpc(event, value => {
      id = idOf(value);
    }).catch(async fault => {
      if (!isTooLarge(fault)) await admission.take(bucket);
      throw fault;
    });
    onMessage?.(message, event);
    await admission.take(bucket);
    return await answer(message, event);
  } catch (fault) {
    log.report(fault);
    return faultResponse(event, { fault, id, asError });
  }
}

async function readRpc(event: H3Event, onValue: (value: unknown) => void): Promise<Message> {
  const body = await readBody(event);
  requireJson(event);
  const value = parseMessage(body);
  onValue(value);
  return readMessage(value);
}

/** Whether a body takes no slot: a broken one does. */
const isTooLarge = (fault: unknown): boolean => fault instanceof ServiceError && statusOf(fault) === 413;

/** Renders an error from before the message was read: as JSON-RPC for a POST, else as REST does. */
export function rpcRenderer(asError: typeof asRpcError) {
  return (fault: ServiceError, event: H3Event) =>
    event.req.method === 'POST' ? faultResponse(event, { fault, id: null, asError }) : errorResponse(fault);
}

interface RpcFault extends Pick<RpcEndpoint, 'asError'> {
  readonly fault: unknown;
  readonly id: RequestId;
}

function faultResponse({ req }: H3Event, { fault, id, asError }: RpcFault): HTTPResponse {
  // MCP 2026-07-28 has no null id and leaves it out.
  const unknownId = req.headers.get('mcp-protocol-version') === REVISIONS.stateless ? undefined : null;
  const error = asError(fault);
  const headers = fault instanceof ServiceError ? errorHeaders(fault) : {};
  return jsonResponse(error.status, errorText(id ?? unknownId, error), headers);
}

/** 202 without a body. Without the length, Node would write an empty chunked body. */
export function accepted(): HTTPResponse {
  return new HTTPResponse(null, {
    status: 202,
    headers: { 'cache-control': 'no-store', 'content-length': '0' },
  });
}
