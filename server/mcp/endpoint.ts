import type { IncomingMessage } from 'node:http';
import { readBody, requireJson } from '../../rest/body.ts';
import { errorHeaders, errorReply } from '../../rest/error-response.ts';
import { jsonReply, type Reply } from '../../rest/reply.ts';
import type { Resource } from '../../rest/resource.ts';
import { asServiceError, errorBody, ServiceError } from '../../tools/errors.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Gate } from '../origin.ts';
import {
  asRpcError,
  errorText,
  idOf,
  type Message,
  parseMessage,
  type RequestId,
  RPC,
  RpcError,
  readMessage,
  resultText,
} from './json-rpc.ts';
import type { Methods } from './methods.ts';

interface Options {
  readonly methods: Methods;
  readonly gate: Gate;
  /** Body of GET /mcp. */
  readonly descriptor: object;
}

const MAX_BYTES = 32 * 1024;

/** MCP over Streamable HTTP with JSON responses (MCP 2025-06-18, Transports): no session, no event stream. */
export function mcpResource({ methods, gate, descriptor }: Options): Resource {
  return {
    path: '/mcp',
    bucket: 'mcp',
    readableFrom: 'listed',
    unforeseen: 'not_configured',
    renderError: errorReply,
    handlers: {
      async GET({ request, admission }) {
        refuseForeign(gate, request);
        if (request.headers.accept?.toLowerCase().includes('text/event-stream')) return noEventStream();
        await admission.take('mcp');
        return jsonReply(200, descriptor, { vary: 'Accept' });
      },
      async POST({ request, admission, contextFor }) {
        let id: RequestId = null;
        try {
          refuseForeign(gate, request);
          const arrival = await receive(request);
          id = arrival.id;
          await admission.take('mcp');
          const message = arrival.read();
          checkVersion(request.headers['mcp-protocol-version']);
          if (message.kind !== 'request') return ACCEPTED;
          const result = await methods.answer(message.method, message.params, {
            context: async () => contextFor({ channel: 'mcp' }),
            admission,
          });
          return rpcReply(200, resultText(message.id, result));
        } catch (fault) {
          return faultReply(fault, id);
        }
      },
    },
  };
}

const ACCEPTED: Reply = { status: 202, headers: { 'cache-control': 'no-store' }, body: null };

/** @throws ServiceError 403 when a web page of another site, or another name of this server, is behind the request */
function refuseForeign(gate: Gate, { headers }: IncomingMessage): void {
  const refused = !gate.allowsOrigin(headers.origin) ? 'Origin' : !gate.allowsHost(headers.host) ? 'Host' : undefined;
  if (!refused) return;
  throw new ServiceError('invalid_request', {
    status: 403,
    message: `This ${refused} may not use the endpoint.`,
    hint: 'Call the public address of the service, from a listed origin or without an Origin header.',
  });
}

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
    const body = await readBody(request, MAX_BYTES);
    requireJson(request);
    const value = parseMessage(body);
    return { id: idOf(value), read: () => readMessage(value) };
  } catch (fault) {
    if (fault instanceof ServiceError && fault.status !== 400) throw fault;
    return { id: null, read: () => rethrow(fault) };
  }
}

function rethrow(fault: unknown): never {
  throw fault instanceof ServiceError ? new RpcError(RPC.invalidRequest, fault.message, errorBody(fault)) : fault;
}

/** The header is sent after the handshake, which always agrees on the one version of the contract. */
function checkVersion(version: string | string[] | undefined): void {
  if (version === undefined || version === SERVICE.protocolVersion) return;
  throw new RpcError(RPC.invalidRequest, `Unsupported MCP-Protocol-Version. Supported: ${SERVICE.protocolVersion}.`);
}

function noEventStream(): Reply {
  const error = new ServiceError('method_not_allowed', {
    message: 'This server offers no event stream.',
    hint: 'Send JSON-RPC requests with POST; every answer is JSON.',
  });
  return errorReply(error, { allow: 'POST, OPTIONS' });
}

/** A protocol error as HTTP. What makes the whole body unusable is a 400, any other RpcError an ordinary answer. */
function faultReply(fault: unknown, id: RequestId): Reply {
  const body = errorText(id, asRpcError(fault));
  if (!(fault instanceof RpcError)) {
    const error = asServiceError(fault);
    return rpcReply(error.status, body, errorHeaders(error));
  }
  const unusable = fault.code === RPC.parseError || fault.code === RPC.invalidRequest;
  return unusable ? { ...rpcReply(400, body), quotaHeaders: false } : rpcReply(200, body);
}

function rpcReply(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body };
}
