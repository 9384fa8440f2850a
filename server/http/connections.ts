import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  unanswered: number;
  latest: IncomingMessage | undefined;
  /** Runs once at most so many requests wait. */
  onAnswered?: { readonly waiting: number; readonly act: () => void };
}

/**
 * Follows the answers on each socket: what could not be read is refused behind them (RFC 9112, 9.3.2), and a client that takes
 * no byte of its answer for `readingMs` is cut off.
 */
export function followAnswers(readingMs: number) {
  const sockets = new WeakMap<Socket, Waiting>();
  const settle = ({ unanswered, onAnswered }: Waiting) => {
    if (onAnswered && unanswered <= onAnswered.waiting) onAnswered.act();
  };
  return {
    /** The same listener, with its answers counted. */
    followed:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        const waiting = sockets.get(request.socket) ?? { unanswered: 0, latest: undefined };
        sockets.set(request.socket, waiting);
        waiting.unanswered += 1;
        waiting.latest = request;
        // Node sets the socket's time-out anew once the answer is sent.
        response.once('prefinish', () => request.socket.setTimeout(readingMs));
        response.once('close', () => {
          waiting.unanswered -= 1;
          settle(waiting);
        });
        listener(request, response);
      },
    /** Calls back when all that came whole on the socket is answered. */
    afterAnswers(socket: Socket, act: () => void): void {
      const waiting = sockets.get(socket);
      if (!waiting) return void act();
      waiting.onAnswered ??= { waiting: waiting.latest?.complete === false ? 1 : 0, act };
      settle(waiting);
    },
  };
}

/** How long the client of a closed socket has to read what was sent. */
const LINGER_MS = 1000;

/** Node does not watch a socket that was ended here: a client that never closes its side would hold it for ever. */
export function close(socket: Socket, lastBytes: string): void {
  if (socket.writableEnded) return;
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
