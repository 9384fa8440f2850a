import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may wait for answers. Clients that people use send one; Node itself would
 * take thousands.
 */
const MAX_WAITING = 8;

/**
 * Follows the answers on each socket: what could not be read is refused behind them (RFC 9112, 9.3.2), and a
 * client that takes no byte of its answer for `readingMs` is cut off.
 */
export function followAnswers(readingMs: number) {
  const pending = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakSet<Socket>();
  return {
    /** @returns false where too many wait already: the connection ends with the answer to the last of them */
    follow({ socket }: IncomingMessage, response: ServerResponse): boolean {
      const answers = pending.get(socket) ?? new Set();
      if (answers.size >= MAX_WAITING && !ending.has(socket)) {
        ending.add(socket);
        endAfter([...answers].at(-1), socket);
      }
      if (ending.has(socket)) return false;
      pending.set(socket, answers.add(response));
      // Node sets the socket's time-out anew once the answer is sent.
      response.once('prefinish', () => socket.setTimeout(readingMs));
      response.once('close', () => answers.delete(response));
      return true;
    },
    /** Resolves when all that came whole on the socket is answered. */
    async answered(socket: Socket): Promise<void> {
      const complete = [...(pending.get(socket) ?? [])].filter(({ req }) => req.complete);
      await Promise.all(complete.map(response => new Promise(resolve => response.once('close', resolve))));
    },
  };
}

function endAfter(last: ServerResponse | undefined, socket: Socket): void {
  socket.pause();
  if (last?.headersSent === false) last.setHeader('connection', 'close');
  last?.once('close', () => socket.destroySoon());
}

/** How long the client of a closed socket has to read what was sent. */
const LINGER_MS = 1000;

/**
 * Node does not watch a socket that was ended here: a client that never closes its side would hold it for
 * ever.
 */
export function close(socket: Socket, lastBytes: string): void {
  if (socket.writableEnded) return;
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
