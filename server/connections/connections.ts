import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What one client may hold of the server without asking for much. */
export interface ConnectionLimits {
  /** Connections open at one time from one network. */
  readonly perClient: number;
  /** Requests of one connection that wait for their answers; who pipelines more is answered these and closed. */
  readonly unanswered: number;
  /** Requests sent at once beyond which a connection is cut off unanswered: parsing them costs time and memory by itself. */
  readonly flood: number;
  /** Cut-off connections of one network, of which two a second are forgotten; beyond them none of it is let in. */
  readonly floods: number;
  /** Answers 429 in a row on one connection before it is closed: they cost as much as any other. */
  readonly refusals: number;
  /** How long a client may take to read an answer. Milliseconds. */
  readonly readingMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  perClient: 200,
  unanswered: 8,
  flood: 64,
  floods: 20,
  refusals: 3,
  readingMs: 20_000,
};

interface Options {
  readonly limits: ConnectionLimits;
  /** The network a connection counts for; `undefined`: a trusted proxy, which brings many clients and is not counted. */
  readonly networkOf: (address: string | undefined) => string | undefined;
  /** Told of a network whose connection was turned away. */
  readonly onCrowded: (network: string) => void;
}

/** One socket: what it still waits for, and whether it is about to be closed. */
interface Connection {
  readonly network: string | undefined;
  unanswered: number;
  /** Requests that came after those it may have waiting. */
  ignored: number;
  refusals: number;
  isClosing: boolean;
  latest?: IncomingMessage;
  /** When the answer that is being sent was complete here; monotonic milliseconds. */
  sendingSince?: number | undefined;
  /** Runs once at most so many requests wait. */
  onAnswered?: { readonly waiting: number; readonly act: () => void };
}

export interface Connections {
  /** The same listener for those requests that their connection may still send. */
  readonly guard: (listener: RequestListener) => RequestListener;
  /** Calls back when all that came whole on the socket is answered (RFC 9112, 9.3.2: in the order of the requests). */
  readonly afterAnswers: (socket: Socket, act: () => void) => void;
}

/** How long the client of a closed socket has to read what was sent. */
const LINGER_MS = 1000;

/** Holds every connection of a server to the limits. */
export function limitConnections(server: Server, { limits, networkOf, onCrowded }: Options): Connections {
  const open = new Map<Socket, Connection>();
  const perNetwork = new Map<string, number>();
  const floods = new Map<string, number>();

  server.on('connection', (socket: Socket) => {
    // Node takes its own listener off a CONNECT socket, and an error without one ends the process.
    socket.on('error', () => {});
    const network = networkOf(socket.remoteAddress);
    const count = (network === undefined ? 0 : (perNetwork.get(network) ?? 0)) + 1;
    if (network !== undefined && (count > limits.perClient || (floods.get(network) ?? 0) > limits.floods)) {
      onCrowded(network);
      return void socket.destroy();
    }
    open.set(socket, { network, unanswered: 0, ignored: 0, refusals: 0, isClosing: false });
    if (network !== undefined) perNetwork.set(network, count);
    socket.once('close', () => {
      open.delete(socket);
      if (network === undefined) return;
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  });

  const sweep = setInterval(() => {
    const limit = performance.now() - limits.readingMs;
    for (const [socket, { sendingSince }] of open) {
      if (sendingSince !== undefined && sendingSince < limit) socket.destroy();
    }
  }, limits.readingMs / 8).unref();
  const forgetting = setInterval(() => {
    for (const [network, count] of floods) {
      if (count > 1) floods.set(network, count - 1);
      else floods.delete(network);
    }
  }, 500).unref();
  server.once('close', () => {
    clearInterval(sweep);
    clearInterval(forgetting);
  });

  /** Answers what was let in and closes; cuts off who sends a flood. */
  function overrun(connection: Connection, socket: Socket): void {
    connection.ignored += 1;
    if (connection.ignored === 1) closeAfterAnswers(connection, socket);
    if (connection.ignored !== limits.flood) return;
    socket.destroy();
    const { network } = connection;
    if (network !== undefined) floods.set(network, (floods.get(network) ?? 0) + 1);
  }

  function answered(connection: Connection, { statusCode }: ServerResponse): void {
    connection.unanswered -= 1;
    connection.sendingSince = undefined;
    connection.refusals = statusCode === 429 ? connection.refusals + 1 : 0;
    settle(connection);
  }

  return {
    guard: listener => (request, response) => {
      const connection = open.get(request.socket);
      if (!connection) return;
      if (connection.isClosing || connection.unanswered === limits.unanswered) {
        return overrun(connection, request.socket);
      }
      connection.unanswered += 1;
      connection.latest = request;
      response.once('prefinish', () => {
        connection.sendingSince = performance.now();
      });
      response.once('close', () => answered(connection, response));
      if (connection.refusals >= limits.refusals) {
        connection.isClosing = true;
        response.setHeader('connection', 'close');
      }
      listener(request, response);
    },
    afterAnswers(socket, act) {
      const connection = open.get(socket);
      if (!connection) return act();
      if (connection.onAnswered) return;
      connection.isClosing = true;
      connection.onAnswered = { waiting: connection.latest?.complete === false ? 1 : 0, act };
      settle(connection);
    },
  };
}

function settle({ unanswered, onAnswered }: Connection): void {
  if (onAnswered && unanswered <= onAnswered.waiting) onAnswered.act();
}

/** Nothing more is read: what the client goes on sending would cost memory and is answered by nobody. */
function closeAfterAnswers(connection: Connection, socket: Socket): void {
  connection.isClosing = true;
  socket.pause();
  socket.removeAllListeners('resume'); // by which Node reads on whenever an answer is done
  connection.onAnswered ??= { waiting: 0, act: () => close(socket) };
}

/** Node does not watch a socket that was ended here: a client that never closes its side would hold it for ever. */
export function close(socket: Socket, lastBytes = ''): void {
  if (socket.writableEnded) return;
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
