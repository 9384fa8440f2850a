import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readBody, requireJson } from '../../rest/body.ts';
import { errorHeaders, errorReply, jsonReply, type Reply, renderedReply } from '../../rest/reply.ts';
import { accepts } from '../../rest/request.ts';
import type { Resource } from '../../rest/resource.ts';
import { statusOf } from '../../rest/status.ts';
import { ServiceError } from '../../tools/errors.ts';
import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import type { Backend, ToolContext } from '../../tools/tool.ts';
import type { Gate } from '../http/origin.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  type Message,
  parseMessage,
  type RequestId,
  readMessage,
  resultBytes,
} from './messages.ts';
import type { Methods } from './methods.ts';
import { checkEnvelope, checkMirrors, isStateless } from './stateless.ts';

interface McpParts {
  readonly gate: Gate;
  readonly backend: Backend;
  readonly methods: Methods;
  /** Body of GET /mcp. */
  readonly descriptor: () => object;
}

/** MCP over Streamable HTTP with JSON responses (Transports, 2025-06-18 and 2026-07-28): no session, no event stream. */
export function mcpResource({ gate, backend, methods, descriptor }: McpParts): Resource {
  return {
    path: '/mcp',
    bucket: 'mcp',
    readableFrom: 'listed',
    unforeseen: 'not_configured',
    renderError: (error, { method }) => (method === 'POST' ? faultReply(error, null) : errorReply(error)),
    handlers: {
      async GET({ request, admission }) {
        gate.refuseForeign(request);
        if (accepts(request.headers.accept, 'text/event-stream')) return noEventStream();
        await admission.take('mcp');
        return jsonReply(200, descriptor(), { vary: 'Accept' });
      },
      async POST({ request, caller, admission, report }) {
        let id: RequestId = null;
        try {
          gate.refuseForeign(request);
          const { value, fault } = await receive(request);
          id = idOf(value);
          await admission.take('mcp');
          if (fault) throw fault;
          const message = readMessage(value);
          checkHeaders(message, request.headers);
          if (message.kind !== 'request') return ACCEPTED;
          const isCancelled = () => isStateless(message.params) && request.socket.destroyed;
          const context = (idempotencyKey: string | undefined): ToolContext => ({
            origin: { channel: 'mcp', idempotencyKey, ...caller },
            ...backend,
          });
          const keys = () => request.headersDistinct['idempotency-key'] ?? [];
          const result = await methods.answer(message, { context, admission, keys, report, isCancelled });
          return renderedReply(200, resultBytes(message.id, result));
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

interface Received {
  readonly value?: unknown;
  readonly fault?: unknown;
}

/** The body as a value, or why it has none: that takes a slot as well. @throws ServiceError 413 */
async function receive(request: IncomingMessage): Promise<Received> {
  try {
    const body = await readBody(request);
    requireJson(request);
    return { value: parseMessage(body) };
  } catch (fault) {
    if (fault instanceof ServiceError && statusOf(fault) !== 400) throw fault;
    return { fault };
  }
}

/**
 * Checks what the headers say of the message. The version of a request that carries its own `_meta` must be that of the
 * header. Of all others only the form of the version counts: clients send the newest one that they know, and get the
 * negotiated one. `initialize` negotiates, so its header says nothing yet (Transports, 2025-06-18).
 * @throws RpcError with HTTP 400: -32600 for a version that is malformed or older than every revision served; -32602 where
 * the header alone names MCP 2026-07-28; else as `checkMirrors`
 */
function checkHeaders(message: Message, headers: IncomingHttpHeaders): void {
  const { kind, method, params } = message;
  const version = headers['mcp-protocol-version']?.toString();
  if (kind === 'request' && isStateless(params)) checkMirrors(message, headers);
  else if (version === undefined || method === 'initialize') return;
  else if (!isRevision(version) || version < REVISIONS.handshake) throw unsupported();
  else if (kind === 'request' && version === REVISIONS.stateless && method !== 'ping') checkEnvelope(message);
}

/** Revisions are dates, so the newer one is the larger text. */
const isRevision = (version: string) => /^\d{4}-\d\d-\d\d$/.test(version);

const unsupported = () => invalid(`MCP-Protocol-Version must be ${SUPPORTED_REVISIONS.toReversed().join(' or ')}`);

/** JSON-RPC 2.0 answers null for an id that is not known; MCP 2026-07-28 has no null and leaves it out. */
function unknownId({ headers }: IncomingMessage): null | undefined {
  return headers['mcp-protocol-version'] === REVISIONS.stateless ? undefined : null;
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
  const headers = fault instanceof ServiceError ? errorHeaders(fault) : {};
  const reply = renderedReply(error.status, errorText(id, error), headers);
  return error.status === 400 ? { ...reply, quotaHeaders: false } : reply;
}
