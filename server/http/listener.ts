import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderPairs } from '../../rest/event.ts';
import { type ErrorCode, errorBody, ServiceError } from '../../tools/errors.ts';
import { close, followAnswers } from './connections.ts';
import { MAX_HEADERS } from './message.ts';

// This room is the edge of the server: it accepts connections, names each client by a hash, checks Host and
// Origin, and writes the headers and the log line of every response. In: sockets. Out: requests for the
// routes, and the contract's error body where Node or this room refuses one.

/** The headers that every response carries, for a socket whose request could not be read. */
export type RefusalHeaders = (socket: Socket, status: number) => Promise<HeaderPairs>;

/** How long a client may take; Node's own defaults are minutes. Milliseconds. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
  /** How long a client may go without reading its answer. */
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
 * A node:http server with time-outs and bounds against slow, broken and greedy clients. Requests that Node
 * itself refuses get the contract's error body too.
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
    await refuse(code, socket, refusalHeaders);
  };
  server.prependListener('connection', (socket: Socket) => {
    // Node removes its own error listener from a CONNECT socket; without one an error ends the process.
    socket.on('error', () => {});
  });
  server.on('request', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket: Socket) => refuseSocket('CONNECT', socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseSocket(error.code, socket),
  );
  return server;
}

/** Refusals of Node's parser by its code. Any other code is 400. */
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

async function refuse(cause: string | undefined, socket: Socket, refusalHeaders: RefusalHeaders) {
  const { status, code = 'invalid_request', message, hint, headers = [] } = REFUSALS[cause ?? ''] ?? INVALID;
  const body = JSON.stringify(errorBody(new ServiceError(code, { message, hint })));
  const serviceHeaders = await refusalHeaders(socket, status);
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
    ...serviceHeaders,
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  close(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
