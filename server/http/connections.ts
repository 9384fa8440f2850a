import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may wait for answers. Usual clients send one at a time; Node would take
 * thousands.
 */
const MAX_WAITING = 8;

/**
 * Follows the answers on each socket. A broken request is refused after the answers to earlier ones
 * (RFC 9112, 9.3.2). A client that reads nothing of its answer for `readingMs` is cut off.
 */
export function followAnswers(readingMs: number) {
  const pending = new WeakMap<Socket, Set<ServerResponse>>();
  const ending = new WeakSet<Socket>();
  return {
    /** @returns false if too many wait: then the connection ends after the last of their answers */
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
    /** Resolves when every complete request of the socket is answered. */
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

/** How long a client may read the last answer before its socket is destroyed. */
const LINGER_MS = 1000;

/**
 * Sends the last bytes and destroys the socket after a second. Node does not watch such a socket, so a client
 * that never closes its side would keep it for ever.
 */
export function close(socket: Socket, lastBytes: string): void {
  if (socket.writableEnded) return;
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
