import {
  createMcpHandler,
  InMemoryTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { H3, H3Event, HTTPResponse } from 'h3';
import { MCP_PATH } from '../../discovery/documents/document.ts';
import { nodeRequest } from '../../rest/event.ts';
import { accepts } from '../../rest/negotiation.ts';
import { jsonResponse } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import { isRecord } from '../../tools/object-schema.ts';
import { HANDSHAKE_REVISIONS, REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import type { Backend, Tool } from '../../tools/tool.ts';
import type { Gate } from '../http/origin.ts';
import { asRpcError, invalid, isStateless, type Message, sdkRequest } from './messages.ts';
import { accepted, type RpcEndpoint, receiveRpc, rpcRenderer } from './rpc.ts';
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
  const endpoint: RpcEndpoint = {
    bucket: 'mcp',
    asError: asRpcError,
    onMessage(message, { context }) {
      if (callsAction(message, parts.tools)) context.admission.showActions();
    },
    answer: (message, event) => answer(message, event, parts),
  };
  app.post(
    MCP_PATH,
    event => {
      parts.gate.refuseForeign(event);
      return receiveRpc(event, endpoint);
    },
    { meta },
  );
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

/** Has the SDK answer. @throws RpcError for wrong params, ServiceError `rate_limited` for an action */
async function answer(
  message: Message,
  event: H3Event,
  { backend, serverFor }: McpParts,
): Promise<HTTPResponse> {
  const { req, context } = event;
  const isModern = isStateless(message, req.headers.get('mcp-protocol-version'));
  if (!isModern && message.method !== 'initialize') checkVersion(req);
  if (message.id === undefined) return accepted();
  const request = sdkRequest(message, isModern);
  let overLimit: ServiceError | undefined;
  const server = serverFor({
    context: idempotencyKey => ({
      origin: { channel: 'mcp', idempotencyKey, ...context.caller },
      ...backend,
    }),
    admission: context.admission,
    report: context.log.report,
    keys: nodeRequest(event).headersDistinct['idempotency-key'],
    onRefused: error => {
      overLimit = error;
    },
  });
  const { status, body } = isModern
    ? await overHttp(server, request, req)
    : await overHandshake(server, request);
  if (overLimit) throw overLimit;
  return jsonResponse(status, JSON.stringify({ ...body, id: message.id }));
}

const OLDEST_REVISION = HANDSHAKE_REVISIONS.at(-1) ?? REVISIONS.handshake;

/**
 * Checks MCP-Protocol-Version. Newer revisions pass, because clients send the newest one that they know.
 * @throws RpcError -32600 with HTTP 400 for a version that is malformed or older than every revision served
 */
function checkVersion({ headers }: Request): void {
  const version = headers.get('mcp-protocol-version');
  if (version === null) return;
  // Revisions are dates, so the older one is the smaller text.
  if (/^\d{4}-\d\d-\d\d$/.test(version) && version >= OLDEST_REVISION) return;
  throw invalid(`MCP-Protocol-Version must be one of ${SUPPORTED_REVISIONS.join(', ')}`);
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/**
 * Answers a revision that begins with `initialize`. The SDK's HTTP transport would demand both media types in
 * Accept, which the contract does not.
 */
async function overHandshake(server: ReturnType<ServerFor>, request: JSONRPCRequest): Promise<Answer> {
  const [client, transport] = InMemoryTransport.createLinkedPair();
  const answered = new Promise<JSONRPCMessage>(resolve => {
    client.onmessage = resolve;
  });
  await server.connect(transport);
  await client.send(request);
  return { status: 200, body: await answered };
}

/** Answers MCP 2026-07-28. */
async function overHttp(server: ReturnType<ServerFor>, parsedBody: JSONRPCRequest, request: Request) {
  const { fetch } = createMcpHandler(() => server, { legacy: 'reject' });
  const response = await fetch(request, { parsedBody });
  const body: unknown = await response.json();
  return { status: response.status, body: isRecord(body) ? body : {} };
}
