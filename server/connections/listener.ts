import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isTooLarge } from '../../rest/http/body.ts';
import type { HeaderPairs } from '../../rest/http/reply.ts';
import { type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, close, limitConnections } from './connections.ts';
import { MAX_HEADERS } from './message.ts';

/** The headers that every response carries, for a socket whose request could not be read. */
export type RefusalHeaders = (socket: Socket, refusal: { status: number; code: ErrorCode }) => Promise<HeaderPairs>;

/** How long a client may take; Node's own defaults are minutes. Milliseconds. */
export interface Timeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const TIMEOUTS: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
};

/** A question of 2,000 characters, percent-encoded, and room for the headers. */
const MAX_HEADER_BYTES = 32 * 1024;

interface ListenerOptions {
  readonly handler: RequestListener;
  readonly refusalHeaders: RefusalHeaders;
  /** The network that a connection counts for; `undefined`: a trusted proxy, which is not counted. */
  readonly networkOf?: (address: string | undefined) => string | undefined;
  readonly onCrowded?: (network: string) => void;
  readonly timeouts?: Partial<Timeouts> | undefined;
  readonly limits?: Partial<ConnectionLimits> | undefined;
}

/**
 * A node:http server that slow, broken or greedy clients cannot hold open.
 * Requests that Node itself refuses get the contract's error body too.
 */
export function createListener(options: ListenerOptions): Server {
  const { handler, refusalHeaders, networkOf = () => undefined, onCrowded = () => {}, timeouts, limits } = options;
  const server = createServer({
    ...TIMEOUTS,
    ...timeouts,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  server.maxConnections = 2000;
  server.maxHeadersCount = MAX_HEADERS;
  const connections = limitConnections(server, { limits: { ...CONNECTION_LIMITS, ...limits }, networkOf, onCrowded });
  const guarded = connections.guard(handler);
  const refused = (code: string | undefined, socket: Socket) =>
    connections.afterAnswers(socket, () => void refuse(code, socket, refusalHeaders));
  server.on('request', guarded);
  server.on('checkExpectation', guarded);
  server.on('checkContinue', (request, response) => {
    if (!isTooLarge(request)) response.writeContinue();
    guarded(request, response);
  });
  server.on('connect', (_request, socket: Socket) => refused('CONNECT', socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refused(error.code, socket));
  return server;
}

/** What Node refuses by itself; any other code of its parser is 400. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  CONNECT: {
    status: 405,
    code: 'method_not_allowed',
    message: 'This server is no proxy.',
    hint: 'Send the request itself, with GET or POST.',
    headers: [['allow', 'GET, HEAD, POST, OPTIONS']],
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request took too long to arrive.',
    hint: 'Send the headers within 10 seconds and the whole request within 20.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The request headers are too large.',
    hint: 'Send less than 32 KiB of headers and URL.',
  },
};

const INVALID: Refusal = {
  status: 400,
  message: 'The request is not valid HTTP.',
  hint: 'Percent-encode the URL and send one valid HTTP/1.1 request.',
};

interface Refusal {
  readonly status: number;
  readonly code?: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly headers?: HeaderPairs;
}

async function refuse(cause: string | undefined, socket: Socket, refusalHeaders: RefusalHeaders): Promise<void> {
  const { status, code = 'invalid_request', message, hint, headers = [] } = REFUSALS[cause ?? ''] ?? INVALID;
  const body = JSON.stringify(errorBody(new ServiceError(code, { message, hint })));
  if (cause === 'ECONNRESET') return void socket.destroy();
  const common = await refusalHeaders(socket, { status, code }).catch(() => []);
  if (!socket.writable) return void socket.destroy();
  const all: HeaderPairs = [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(body))],
    ['cache-control', 'no-store'],
    ['connection', 'close'],
    ...headers,
    ...common,
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  close(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/**
 * Answers for `drainMs` more and asks each client to close its connection, so that a proxy keeps none that ends under a
 * request. Then takes no more, lets requests under way finish, and cuts off what is left after `graceMs`.
 */
export async function stop(server: Server, graceMs: number, drainMs = 0): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await wait(drainMs);
  const idle = setInterval(() => server.closeIdleConnections(), 250);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise(resolve => server.close(resolve));
  clearInterval(idle);
  clearTimeout(deadline);
}
