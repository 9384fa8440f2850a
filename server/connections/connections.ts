import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countPieces } from './body-pieces.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { hasTooManyHeaders } from './message.ts';
import { createNetworkCosts, type NetworkCosts } from './network-costs.ts';
import { createTurns } from './turns.ts';

interface ConnectionOptions {
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
  /** Of chunked bodies, since no request waited. */
  pieces: number;
  refusals: number;
  isClosing: boolean;
  /** Whether a request came on it. */
  hasAsked?: boolean;
  latest?: IncomingMessage | undefined;
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

/** What is known of the connections of a server. */
interface Held {
  readonly limits: ConnectionLimits;
  readonly open: Map<Socket, Connection>;
  /** Open connections of each network. */
  readonly perNetwork: Map<string, number>;
  readonly costs: NetworkCosts;
}

/** Holds every connection of a server to the limits. */
export function limitConnections(server: Server, { limits, networkOf, onCrowded }: ConnectionOptions): Connections {
  const held: Held = {
    limits,
    open: new Map(),
    perNetwork: new Map(),
    costs: createNetworkCosts(),
  };
  // Node's own listener, which makes a parser: a connection that is not let in gets none.
  const [parse] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Node takes its own listener off a CONNECT socket, and an error without one ends the process.
    socket.on('error', () => {});
    const network = networkOf(socket.remoteAddress);
    const isFull = network !== undefined && (held.perNetwork.get(network) ?? 0) >= limits.perClient;
    const isSpent = held.costs.isSpent(network);
    if (network !== undefined && (isFull || isSpent)) onCrowded(network);
    if (isFull) return void socket.destroy();
    hold(held, socket, network);
    if (isSpent) setTimeout(() => socket.destroy(), limits.spentMs).unref();
    else parse?.call(server, socket);
  });
  const watching = setInterval(cutOffSlowReaders, limits.readingMs / 8, held).unref();
  server.once('close', () => clearInterval(watching));
  const turns = createTurns();
  return {
    guard: listener => (request, response) => {
      const connection = letIn(held, request, response);
      if (!connection) return;
      const { network = '' } = connection;
      const isCrowded = (held.perNetwork.get(network) ?? 0) > limits.few;
      if (isCrowded) turns.wait(network, () => request.socket.destroyed || listener(request, response));
      else listener(request, response);
    },
    afterAnswers(socket, act) {
      const connection = held.open.get(socket);
      if (!connection) return act();
      held.costs.charge(connection.network, 'unread');
      if (connection.onAnswered) return;
      connection.isClosing = true;
      connection.onAnswered = { waiting: connection.latest?.complete === false ? 1 : 0, act };
      settle(connection);
    },
  };
}

/** Keeps count of a connection until it closes. */
function hold(held: Held, socket: Socket, network: string | undefined): void {
  const { open, perNetwork } = held;
  held.costs.charge(network, 'connection');
  open.set(socket, { network, unanswered: 0, ignored: 0, pieces: 0, refusals: 0, isClosing: false });
  if (network !== undefined) add(perNetwork, network, 1);
  socket.once('close', () => {
    open.delete(socket);
    if (network !== undefined) add(perNetwork, network, -1);
  });
}

/** A count of none is no entry. */
function add(counts: Map<string, number>, network: string, change: 1 | -1): void {
  const count = (counts.get(network) ?? 0) + change;
  if (count > 0) counts.set(network, count);
  else counts.delete(network);
}

function cutOffSlowReaders({ limits, open }: Held): void {
  const limit = performance.now() - limits.readingMs;
  for (const [socket, { sendingSince }] of open) {
    if (sendingSince !== undefined && sendingSince < limit) socket.destroy();
  }
}

/** @returns the connection of a request that is answered: its answer is followed to its end */
function letIn(held: Held, request: IncomingMessage, response: ServerResponse): Connection | undefined {
  const connection = held.open.get(request.socket);
  if (!connection) return undefined;
  connection.hasAsked = true;
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (isChunked) countPieces(request, response, () => takePiece(held, connection, request.socket));
  if (connection.isClosing || connection.unanswered === held.limits.unanswered) {
    overrun(held, connection, request.socket);
    return undefined;
  }
  const begunMs = performance.now();
  connection.unanswered += 1;
  connection.latest = request;
  response.once('prefinish', () => {
    connection.sendingSince = performance.now();
  });
  response.once('close', () => {
    answered(held, connection, response, (connection.sendingSince ?? performance.now()) - begunMs);
  });
  const isCostly = hasTooManyHeaders(request);
  const { network, refusals } = connection;
  if (isCostly) held.costs.charge(network, 'headers');
  if (isCostly || held.costs.isSpent(network) || refusals >= held.limits.refusals) {
    connection.isClosing = true;
    response.setHeader('connection', 'close');
  }
  return connection;
}

/** Charges a piece of a body. @returns `false` where the connection has too many, or its network has used its time */
function takePiece(held: Held, connection: Connection, socket: Socket): boolean {
  const { limits, costs } = held;
  const { network } = connection;
  connection.pieces += 1;
  costs.charge(network, 'piece');
  if (connection.pieces > limits.pieces) cutOff(held, network, socket);
  else if (costs.isSpent(network)) socket.destroy();
  return !socket.destroyed;
}

/** Closes a connection with a flood on it; once the network's time is used, also its others of which nothing was read yet. */
function cutOff({ open, costs }: Held, network: string | undefined, flooded: Socket): void {
  flooded.destroy();
  costs.charge(network, 'flood');
  if (!costs.isSpent(network)) return;
  for (const [socket, other] of open) if (other.network === network && !other.hasAsked) socket.destroy();
}

/** Answers what was let in and closes; cuts off who sends a flood. */
function overrun(held: Held, connection: Connection, socket: Socket): void {
  connection.ignored += 1;
  if (connection.ignored === 1) closeAfterAnswers(connection, socket);
  if (connection.ignored === held.limits.flood) cutOff(held, connection.network, socket);
}

function answered(held: Held, connection: Connection, { statusCode }: ServerResponse, ms: number): void {
  connection.unanswered -= 1;
  if (connection.unanswered === 0) connection.pieces = 0;
  const { latest } = connection;
  if (latest?.complete === false && latest.headers['transfer-encoding'] !== undefined) {
    closeAfterAnswers(connection, latest.socket);
  }
  // A whole request says nothing more here: with it, each idle connection would hold some 2 KB.
  if (connection.latest?.complete) connection.latest = undefined;
  connection.sendingSince = undefined;
  connection.refusals = statusCode === 429 ? connection.refusals + 1 : 0;
  if (statusCode >= 400 && statusCode < 500) held.costs.chargeRefusal(connection.network, ms);
  settle(connection);
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
