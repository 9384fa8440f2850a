import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { type H3, type H3Event, HTTPResponse } from 'h3';
import { MCP_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { nodeRequest } from '../../rest/event.ts';
import { accepts } from '../../rest/negotiation.ts';
import { errorHeaders, errorResponse, jsonResponse, statusOf } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import { HANDSHAKE_REVISIONS, REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import type { Backend, Tool } from '../../tools/tool.ts';
import type { Gate } from '../http/origin.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  isStateless,
  type Message,
  parseMessage,
  type RequestId,
  readMessage,
  type SdkRequest,
  sdkRequest,
} from './messages.ts';
import type { ServerFor } from './server.ts';
import { callsAction } from './tools.ts';

interface McpParts {
  readonly gate: Gate;
  readonly backend: Backend;
  readonly serverFor: ServerFor;
  readonly tools: readonly Tool[];
  /** Body of GET /mcp. */
  readonly descriptor: () => object;
}

/**
 * MCP over Streamable HTTP with JSON responses: no session, no event stream. The SDK answers what passes the
 * checks.
 * @example
 * mountMcp(app, { gate, backend, serverFor, tools, descriptor: () => mcpDescriptor(site) });
 */
export function mountMcp(app: H3, parts: McpParts): void {
  const meta = {
    bucket: 'mcp',
    restrictsOrigins: true,
    allowsLoopbackOrigins: true,
    renderError: rpcRenderer(asRpcError),
  } as const;
  app.get(MCP_PATH, event => describe(event, parts), { meta });
  app.post(MCP_PATH, event => receive(event, parts), { meta });
}

async function describe(event: H3Event, { gate, descriptor }: McpParts): Promise<object> {
  const { admission, headers } = event.context;
  gate.refuseForeign(event);
  if (accepts(event.req.headers.get('accept'), 'text/event-stream')) throw noEventStream(event);
  await admission.take('mcp');
  headers.push(['vary', 'Accept']);
  return descriptor();
}

/** The 405 for clients that accept an event stream: they would take JSON for a broken stream. */
function noEventStream({ context }: H3Event): ServiceError {
  context.headers.push(['allow', 'POST, OPTIONS']);
  return new ServiceError('method_not_allowed', {
    message: 'This server offers no event stream.',
    hint: 'Send JSON-RPC requests with POST; every answer is JSON.',
  });
}

async function receive(event: H3Event, parts: McpParts): Promise<HTTPResponse> {
  const { admission, log } = event.context;
  const version = nodeRequest(event).headers['mcp-protocol-version']?.toString();
  let id: RequestId = null;
  try {
    parts.gate.refuseForeign(event);
    const { message, fault, ...sent } = await readSent(event);
    id = sent.id;
    if (message && callsAction(message, parts.tools)) admission.showActions();
    await admission.take('mcp');
    if (!message) throw fault;
    const isModern = isStateless(message, version);
    if (!isModern && message.method !== 'initialize') checkVersion(version);
    if (message.kind !== 'request') return accepted();
    return await answer(event, { message, isModern }, parts);
  } catch (fault) {
    log.report(fault);
    // MCP 2026-07-28 has no null id and leaves it out.
    return faultResponse(fault, id ?? (version === REVISIONS.stateless ? undefined : null));
  }
}

interface Sent {
  readonly id: RequestId;
  readonly message?: Message;
  readonly fault?: unknown;
}

/** The message in the body, or its fault, because a broken body takes a slot too. @throws ServiceError 413 */
async function readSent(event: H3Event): Promise<Sent> {
  let value: unknown;
  try {
    const body = await readBody(event);
    requireJson(event);
    value = parseMessage(body);
    return { id: idOf(value), message: readMessage(value) };
  } catch (fault) {
    if (fault instanceof ServiceError && statusOf(fault) !== 400) throw fault;
    return { id: idOf(value), fault };
  }
}

const OLDEST_REVISION = HANDSHAKE_REVISIONS.at(-1) ?? REVISIONS.handshake;

/**
 * Checks MCP-Protocol-Version. Newer revisions pass, because clients send the newest one that they know.
 * @throws RpcError -32600 with HTTP 400 for a version that is malformed or older than every revision served
 */
function checkVersion(version: string | undefined): void {
  if (version === undefined) return;
  // Revisions are dates, so the older one is the smaller text.
  if (/^\d{4}-\d\d-\d\d$/.test(version) && version >= OLDEST_REVISION) return;
  throw invalid(`MCP-Protocol-Version must be one of ${SUPPORTED_REVISIONS.join(', ')}`);
}

/** Has the SDK answer. @throws RpcError for wrong params, ServiceError `rate_limited` for an action */
async function answer(
  event: H3Event,
  { message, isModern }: { readonly message: Message; readonly isModern: boolean },
  { backend, serverFor }: McpParts,
): Promise<HTTPResponse> {
  const { caller, admission, log } = event.context;
  const request = sdkRequest(message, isModern, STAND_IN);
  let overLimit: ServiceError | undefined;
  const server = serverFor({
    context: idempotencyKey => ({ origin: { channel: 'mcp', idempotencyKey, ...caller }, ...backend }),
    admission,
    report: log.report,
    keys: nodeRequest(event).headersDistinct['idempotency-key'],
    onRefused: error => {
      overLimit = error;
    },
  });
  const response = isModern
    ? await createMcpHandler(() => server, { legacy: 'reject' }).fetch(event.req, {
        parsedBody: request,
      })
    : await overHandshake(server, request);
  const text = await response.text();
  if (overLimit) throw overLimit;
  return jsonResponse(response.status, message.id === null ? withNullId(text) : text);
}

/** The SDK sees this id in place of null. Each request has its own server, so no other request has it. */
const STAND_IN = 0;

const withNullId = (text: string): string => JSON.stringify({ ...JSON.parse(text), id: null });

/**
 * The SDK reads these headers in place of the client's: it demands both media types, and the contract none.
 */
const HANDSHAKE_REQUEST = new Request('http://localhost/mcp', {
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
});

/** Answers a revision that begins with `initialize`. Nothing is kept between requests. */
async function overHandshake(server: ReturnType<ServerFor>, request: SdkRequest): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(HANDSHAKE_REQUEST, { parsedBody: request });
}

/**
 * 202 without a body. Without the length, Node would write an empty chunked body.
 */
export function accepted(): HTTPResponse {
  return new HTTPResponse(null, {
    status: 202,
    headers: { 'cache-control': 'no-store', 'content-length': '0' },
  });
}

/** Renders an error from before the message was read: as JSON-RPC for a POST, else as REST does. */
export function rpcRenderer(render: typeof asRpcError) {
  return (error: ServiceError, { req }: H3Event) =>
    req.method === 'POST' ? faultResponse(error, null, render) : errorResponse(error);
}

/** An error as a JSON-RPC response. @param render makes the error from `fault` */
export function faultResponse(fault: unknown, id: RequestId | undefined, render = asRpcError): HTTPResponse {
  const error = render(fault);
  const headers = fault instanceof ServiceError ? errorHeaders(fault) : {};
  return jsonResponse(error.status, errorText(id, error), headers);
}
