import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES, readBody, requireJson } from '../../rest/http/body.ts';
import { errorHeaders, errorReply } from '../../rest/http/error-response.ts';
import { jsonReply, type Reply, renderedReply } from '../../rest/http/reply.ts';
import type { Resource } from '../../rest/http/resource.ts';
import { asServiceError, errorBody, ServiceError } from '../../tools/errors.ts';
import { RPC } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Gate } from '../http/origin.ts';
import {
  asRpcError,
  errorText,
  idOf,
  type Message,
  parseMessage,
  type RequestId,
  RpcError,
  readMessage,
  responseBody,
} from './json-rpc.ts';
import type { Methods } from './methods.ts';
import { checkHeaders } from './request-headers.ts';

interface Options {
  readonly gate: Gate;
  readonly methods: Methods;
  /** Body of GET /mcp. */
  readonly descriptor: object;
}

/** MCP over Streamable HTTP with JSON responses (Transports, 2025-06-18 and 2026-07-28): no session, no event stream. */
export function mcpResource({ gate, methods, descriptor }: Options): Resource {
  return {
    path: '/mcp',
    bucket: 'mcp',
    readableFrom: 'listed',
    unforeseen: 'not_configured',
    renderError: (error, { method }) => (method === 'POST' ? faultReply(error, null) : errorReply(error)),
    handlers: {
      async GET({ request, admission }) {
        gate.refuseForeign(request);
        if (request.headers.accept?.toLowerCase().includes('text/event-stream')) return noEventStream();
        await admission.take('mcp');
        return jsonReply(200, descriptor, { vary: 'Accept' });
      },
      async POST({ request, admission, contextFor, report }) {
        let id: RequestId = null;
        try {
          gate.refuseForeign(request);
          const arrival = await receive(request);
          id = arrival.id;
          await admission.take('mcp');
          const message = arrival.read();
          checkHeaders(message, request.headers);
          if (message.kind !== 'request') return ACCEPTED;
          const context = async () => contextFor({ channel: 'mcp' });
          return renderedReply(
            200,
            responseBody(message.id, await methods.answer(message, { context, admission, report })),
          );
        } catch (fault) {
          report(fault);
          return faultReply(fault, id ?? unknownId(request));
        }
      },
    },
  };
}

/** The length says at once that nothing follows; Node would write an empty chunked body. */
const ACCEPTED: Reply = { status: 202, headers: { 'cache-control': 'no-store', 'content-length': '0' }, body: null };

interface Arrival {
  /** The caller's id where the body shows one: also an error before `read` must carry it. */
  readonly id: RequestId;
  /** @throws RpcError for a body that is no single JSON-RPC message */
  readonly read: () => Message;
}

/**
 * Reads the body without judging it yet: a body that cannot be used takes a slot as well.
 * @throws ServiceError 413
 */
async function receive(request: IncomingMessage): Promise<Arrival> {
  try {
    const body = await readBody(request, MAX_BODY_BYTES);
    requireJson(request);
    const value = parseMessage(body);
    return { id: idOf(value), read: () => readMessage(value) };
  } catch (fault) {
    if (fault instanceof ServiceError && fault.status !== 400) throw fault;
    return { id: null, read: () => rethrow(fault) };
  }
}

function rethrow(fault: unknown): never {
  if (!(fault instanceof ServiceError)) throw fault;
  throw new RpcError(RPC.invalidRequest, fault.message, { status: 400, data: errorBody(fault) });
}

/** JSON-RPC 2.0 answers null for an id that is not known; MCP 2026-07-28 has no null and leaves it out. */
function unknownId({ headers }: IncomingMessage): null | undefined {
  return headers['mcp-protocol-version'] === SERVICE.statelessProtocolVersion ? undefined : null;
}

function noEventStream(): Reply {
  const error = new ServiceError('method_not_allowed', {
    message: 'This server offers no event stream.',
    hint: 'Send JSON-RPC requests with POST; every answer is JSON.',
  });
  return errorReply(error, { allow: 'POST, OPTIONS' });
}

/** A protocol error as HTTP. A message that could not be used at all is a 400, which shows no limits. */
function faultReply(fault: unknown, id: RequestId | undefined): Reply {
  const error = asRpcError(fault);
  const body = errorText(id, error);
  if (!(fault instanceof RpcError)) return renderedReply(error.status, body, errorHeaders(asServiceError(fault)));
  return error.status === 400
    ? { ...renderedReply(400, body), quotaHeaders: false }
    : renderedReply(error.status, body);
}
