import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../tools/errors.ts';

const signals = new WeakMap<IncomingMessage['socket'], AbortSignal>();

/** Aborted when the connection of a request is closed: nobody waits for its answer any more. */
export function hangUpOf({ socket }: IncomingMessage): AbortSignal {
  const known = signals.get(socket);
  if (known) return known;
  const gone = new AbortController();
  socket.once('close', () => gone.abort(new ServiceError('not_configured', { message: 'The client has hung up.' })));
  signals.set(socket, gone.signal);
  return gone.signal;
}
