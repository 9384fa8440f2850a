import type { H3Event } from 'h3';
import { ServiceError } from '../../tools/errors.ts';

/** Usual clients have a few requests in work. Each may hold one of the 2,000 sockets for 20 s. */
const MAX_IN_WORK = 200;

/**
 * Counts the requests of each client that are in work, so that one client cannot hold every socket.
 * @example
 * const inWork = createInWork();
 * if (!inWork.enter(clientHash)) refuseCrowded(event);
 * try { … } finally { inWork.leave(clientHash); }
 */
export function createInWork() {
  const counts = new Map<string, number>();
  return {
    /** Counts a request. @returns false, without counting, if 200 of this client are in work */
    enter(client: string): boolean {
      const count = counts.get(client) ?? 0;
      if (count >= MAX_IN_WORK) return false;
      counts.set(client, count + 1);
      return true;
    },
    leave(client: string): void {
      const count = counts.get(client) ?? 0;
      if (count > 1) counts.set(client, count - 1);
      else counts.delete(client);
    },
  };
}

/** Refuses a request without reading its body. @throws ServiceError `rate_limited` */
export function refuseCrowded({ context }: H3Event): never {
  // The rest of a slow body would hold the connection.
  context.headers.push(['connection', 'close']);
  throw new ServiceError('rate_limited', {
    message: 'Too many requests at the same time.',
    hint: 'Wait 1 second, then send fewer at once. The limits are documented in /llms.txt.',
    retryAfterSeconds: 1,
    logged: { refused: 'too many at once' },
  });
}
