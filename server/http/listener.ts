import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorBody, ServiceError } from '../../tools/errors.ts';
import type { HeaderPairs } from './rate-limit-headers.ts';

/** The headers that every response carries, for a socket whose request could not be read. */
type RefusalHeaders = (socket: Socket) => Promise<HeaderPairs>;

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

interface Options {
  readonly handler: RequestListener;
  readonly refusalHeaders: RefusalHeaders;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/**
 * A node:http server that slow or broken clients cannot hold open.
 * Requests that Node itself refuses get the contract's error body too.
 */
export function createListener({ handler, refusalHeaders, timeouts }: Options): Server {
  const limits = { ...TIMEOUTS, ...timeouts, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false };
  const server = createServer(limits, handler);
  server.maxConnections = 2000;
  server.maxRequestsPerSocket = 10_000;
  server.on('checkExpectation', handler);
  server.on('connect', (_request, socket: Socket) => refuse('CONNECT', socket, refusalHeaders));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(error.code, socket, refusalHeaders),
  );
  return server;
}

const STATUS: Readonly<Record<string, number>> = {
  CONNECT: 405,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const WORDS: Readonly<Record<number, readonly [message: string, hint: string]>> = {
  400: ['The request is not valid HTTP.', 'Percent-encode the URL and send one valid HTTP/1.1 request.'],
  405: ['This server is no proxy.', 'Send the request itself, with GET or POST.'],
  408: ['The request took too long to arrive.', 'Send the whole request within 20 seconds.'],
  431: ['The request headers are too large.', 'Send less than 32 KiB of headers and URL.'],
};

async function refuse(code: string | undefined, socket: Socket, refusalHeaders: RefusalHeaders): Promise<void> {
  const status = STATUS[code ?? ''] ?? 400;
  const [message = '', hint = ''] = WORDS[status] ?? [];
  const body = JSON.stringify(errorBody(new ServiceError('invalid_request', { message, hint })));
  const headers: HeaderPairs = [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(body))],
    ['cache-control', 'no-store'],
    ['connection', 'close'],
    ...(await refusalHeaders(socket)),
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  if (socket.writableEnded) return;
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Node no longer watches a refused socket: a client that never closes its side would hold it for ever. */
const LINGER_MS = 1000;

/** Stops taking requests, lets those under way finish, and cuts off what is left after `graceMs`. */
export async function stop(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  const idle = setInterval(() => server.closeIdleConnections(), 250);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise(resolve => server.close(resolve));
  clearInterval(idle);
  clearTimeout(deadline);
}
