import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readBody, requireJson } from '../../rest/http/body.ts';
import { errorHeaders, errorReply, jsonReply, type Reply, renderedReply } from '../../rest/http/reply.ts';
import { accepts } from '../../rest/http/request.ts';
import type { Resource } from '../../rest/http/resource.ts';
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
} from '../rpc/messages.ts';
import type { Methods } from './methods.ts';
import { checkEnvelope, checkMirrors, isStateless } from './stateless.ts';

interface Options {
  readonly gate: Gate;
  readonly backend: Backend;
  readonly methods: Methods;
  /** Body of GET /mcp. */
  readonly descriptor: () => object;
}

/** MCP over Streamable HTTP with JSON responses (Transports, 2025-06-18 and 2026-07-28): no session, no event stream. */
export function mcpResource({ gate, backend, methods, descriptor }: Options): Resource {
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
          const context = async (): Promise<ToolContext> => ({ origin: { channel: 'mcp', ...caller }, ...backend });
          const result = await methods.answer(message, { context, admission, report, isCancelled });
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

/**
 * The body as a value, or why it has none: that takes a slot as well.
 * @throws ServiceError 413
 */
async function receive(request: IncomingMessage): Promise<{ readonly value?: unknown; readonly fault?: unknown }> {
  try {
    const body = await readBody(request);
    requireJson(request);
    return { value: parseMessage(body) };
  } catch (fault) {
    if (fault instanceof ServiceError && fault.status !== 400) throw fault;
    return { fault };
  }
}

/**
 * @throws RpcError with HTTP 400: -32600 for a version that no `initialize` of ours agreed on; for requests of MCP 2026-07-28
 * as `checkMirrors`, and -32602 where the header says that it is one and the body does not
 */
function checkHeaders(message: Message, headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version'];
  const isRequest = message.kind === 'request';
  if (isRequest && isStateless(message.params)) checkMirrors(message, headers);
  else if (isRequest && version === REVISIONS.stateless) checkUnclaimed(message);
  else if (version !== undefined && !SERVED.has(version.toString())) throw unsupported();
}

const SERVED: ReadonlySet<string> = new Set(SUPPORTED_REVISIONS);

/** A request needs its envelope, unless it is one that only handshake clients send. */
function checkUnclaimed(message: Message): void {
  if (message.method === 'initialize' || message.method === 'ping') throw unsupported();
  checkEnvelope(message);
}

const unsupported = () =>
  invalid(`MCP-Protocol-Version must be ${REVISIONS.handshake}, or that of _meta in the request`);

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
