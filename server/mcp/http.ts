import type { IncomingHttpHeaders } from 'node:http';
import { type H3, type H3Event, HTTPResponse } from 'h3';
import { MCP_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { nodeRequest } from '../../rest/event.ts';
import { accepts } from '../../rest/negotiation.ts';
import { errorHeaders, errorResponse, jsonResponse } from '../../rest/response.ts';
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
export function mountMcp(app: H3, { gate, backend, methods, descriptor }: McpParts): void {
  const meta = {
    bucket: 'mcp',
    isListed: true,
    letsLocalIn: true,
    // The contract: a message that could not be used at all shows no limits.
    bareStatus: 400,
    renderError: (error: ServiceError, { req }: H3Event) =>
      req.method === 'POST' ? faultResponse(error, null) : errorResponse(error),
  } as const;

  app.get(
    MCP_PATH,
    async event => {
      const { admission, headers } = event.context;
      gate.refuseForeign(event);
      if (accepts(event.req.headers.get('accept'), 'text/event-stream')) throw noEventStream(event);
      admission.take('mcp');
      headers.push(['vary', 'Accept']);
      return descriptor();
    },
    { meta },
  );

  app.post(
    MCP_PATH,
    async event => {
      const { caller, admission, log } = event.context;
      const { report } = log;
      const request = nodeRequest(event);
      let id: RequestId = null;
      try {
        gate.refuseForeign(event);
        const { value, fault } = await receive(event);
        id = idOf(value);
        admission.take('mcp');
        if (fault) throw fault;
        const message = readMessage(value);
        checkHeaders(message, request.headers);
        if (message.kind !== 'request') return accepted();
        const isCancelled = () => isStateless(message.params) && request.socket.destroyed;
        const context = (idempotencyKey: string | undefined): ToolContext => ({
          origin: { channel: 'mcp', idempotencyKey, ...caller },
          ...backend,
        });
        const keys = () => request.headersDistinct['idempotency-key'] ?? [];
        const result = await methods.answer(message, { context, admission, keys, report, isCancelled });
        return resultBytes(message.id, result);
      } catch (fault) {
        report(fault);
        return faultResponse(fault, id ?? unknownId(request.headers));
      }
    },
    { meta },
  );
}

/** 202 without a body. The length says at once that nothing follows; Node would write an empty chunked body. */
export const accepted = (): HTTPResponse =>
  new HTTPResponse(null, { status: 202, headers: { 'cache-control': 'no-store', 'content-length': '0' } });

/** The body as a value, or why it has none: that takes a slot as well. @throws ServiceError 413 */
async function receive(event: H3Event) {
  try {
    const body = await readBody(event);
    requireJson(event);
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

const unsupported = () =>
  invalid(`MCP-Protocol-Version must be ${SUPPORTED_REVISIONS.toReversed().join(' or ')}`);

/** JSON-RPC 2.0 answers null for an id that is not known; MCP 2026-07-28 has no null and leaves it out. */
const unknownId = (headers: IncomingHttpHeaders): null | undefined =>
  headers['mcp-protocol-version'] === REVISIONS.stateless ? undefined : null;

/** Some clients list both types, and would take a JSON answer for a broken stream. */
function noEventStream({ context }: H3Event): ServiceError {
  context.headers.push(['allow', 'POST, OPTIONS']);
  return new ServiceError('method_not_allowed', {
    message: 'This server offers no event stream.',
    hint: 'Send JSON-RPC requests with POST; every answer is JSON.',
  });
}

/** A protocol error as HTTP. @param render makes it of what was thrown */
export function faultResponse(fault: unknown, id: RequestId | undefined, render = asRpcError): HTTPResponse {
  const error = render(fault);
  return jsonResponse(
    error.status,
    errorText(id, error),
    fault instanceof ServiceError ? errorHeaders(fault) : {},
  );
}
