import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { HeaderPairs } from '../../rest/event.ts';
import { type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { close, followAnswers } from './connections.ts';
import { MAX_HEADERS } from './message.ts';

// This room is the edge of the server: it accepts connections, names each client by a hash, checks Host and
// Origin, and writes the headers and the log line of every response. In: sockets. Out: requests for the
// routes, and the contract's error body where Node or this room refuses one.

/** The headers that every response carries, for a socket whose request could not be read. */
export type RefusalHeaders = (socket: Socket, status: number) => HeaderPairs;

/** How long a client may take; Node's own defaults are minutes. Milliseconds. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
  /** A client may go so long without reading of its answer. */
  readingTimeout: 20_000,
};

export type Timeouts = Readonly<typeof TIMEOUTS>;

/** A question of 2,000 characters, percent-encoded, and room for the headers. */
const MAX_HEADER_BYTES = 32 * 1024;

export interface ListenerOptions {
  readonly handler: RequestListener;
  readonly refusalHeaders: RefusalHeaders;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/**
 * A node:http server that slow, broken or greedy clients cannot hold open.
 * Requests that Node itself refuses get the contract's error body too.
 * @example
 * const server = createListener({ handler, refusalHeaders: () => [] });
 * server.listen(8787);
 */
export function createListener({ handler, refusalHeaders, ...options }: ListenerOptions): Server {
  const { readingTimeout, ...timeouts } = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer({ ...timeouts, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false });
  server.maxConnections = 2000;
  server.maxHeadersCount = MAX_HEADERS;
  const { follow, answered } = followAnswers(readingTimeout);
  const answer: RequestListener = (request, response) => {
    if (follow(request, response)) handler(request, response);
  };
  const refuseSocket = async (code: string | undefined, socket: Socket) => {
    await answered(socket);
    refuse(code, socket, refusalHeaders);
  };
  server.prependListener('connection', (socket: Socket) => {
    // Node takes its own listener off a CONNECT socket, and an error without one ends the process.
    socket.on('error', () => {});
    // Whoever comes through a Unix socket is on this machine, so that TRUSTED_PROXIES=127.0.0.1/32 trusts the
    // proxy there.
    if (typeof server.address() === 'string')
      Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' });
  });
  server.on('request', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket: Socket) => refuseSocket('CONNECT', socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseSocket(error.code, socket),
  );
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

function refuse(cause: string | undefined, socket: Socket, refusalHeaders: RefusalHeaders): void {
  const { status, code = 'invalid_request', message, hint, headers = [] } = REFUSALS[cause ?? ''] ?? INVALID;
  const body = JSON.stringify(errorBody(new ServiceError(code, { message, hint })));
  if (cause === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const all: HeaderPairs = [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(body))],
    ['cache-control', 'no-store'],
    ['connection', 'close'],
    ...headers,
    ...refusalHeaders(socket, status),
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  close(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/**
 * Goes on for `drainMs`, then takes no more connections, lets requests under way finish, and cuts off what is
 * left after `graceMs`. What a proxy sends at the moment when a socket closes is lost, since no proxy may
 * send a POST twice. So with a drain connections stay reusable until the listening socket is closed: hardly
 * any is new then. And idle ones stay open a little longer: the proxy uses them up, one answer with
 * `Connection: close` each.
 */
export async function stop(server: Server, graceMs: number, drainMs = 0): Promise<void> {
  await wait(drainMs);
  if (drainMs > 0) await quietTurn();
  const lingerMs = drainMs > 0 ? LINGER_MS : 0;
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Not the method of node:http, which closes idle connections at once.
  const closed = new Promise(resolve => NetServer.prototype.close.call(server, resolve));
  const begunMs = performance.now();
  const closeIdle = () => {
    if (performance.now() - begunMs >= lingerMs) server.closeIdleConnections();
  };
  // Behind a turn that has read all that came: a timer runs before it, and would close a connection with a
  // form in it.
  const idle = setInterval(() => void setImmediate().then(closeIdle), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

/** At thirty forms a second nginx has used up its idle connections in one. */
const LINGER_MS = 3000;

/**
 * Resolves in a turn of the event loop that accepted every waiting connection and had nothing else to do. A
 * connection that waits while the listening socket closes is reset, with the form that was sent into it.
 */
async function quietTurn(): Promise<void> {
  for (const endMs = performance.now() + LINGER_MS; performance.now() < endMs; ) {
    const begunMs = performance.now();
    await setImmediate();
    if (performance.now() - begunMs < 0.2) return;
  }
}
