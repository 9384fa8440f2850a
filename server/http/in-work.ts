import type { IncomingMessage } from 'node:http';
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

/**
 * Requests that wait: as many as there are connections. Only clients that send several over one have more, and
 * each holds its headers of up to 32 KiB.
 */
const MAX_WAITING = 2000;

/** While requests arrive, the next one begins after so many rounds of the event loop. */
const ROUNDS_OF_ARRIVALS = 64;

interface Waiting {
  readonly begin: () => void;
  readonly request: IncomingMessage;
  readonly isInWork: boolean;
}

/**
 * Lets requests begin one by one, the clients in turn: beside 1,900 requests of one client, another waits for
 * one or two of them. Without it Node answers all that has arrived before it looks at its sockets again.
 * @example
 * const turn = createTurns();
 * await turn(clientHash, request);
 */
export function createTurns() {
  const queues = new Map<string, Set<Waiting>>();
  let waitingCount = 0;
  let isTaken = false;
  let hasArrival = false;
  let rounds = 0;
  function pass(): void {
    const [first] = queues;
    if (first === undefined) {
      isTaken = false;
      return;
    }
    setImmediate(pass);
    // A round accepts one connection. Those behind it may be other clients', so they come in first.
    if (hasArrival && rounds < ROUNDS_OF_ARRIVALS) {
      hasArrival = false;
      rounds += 1;
      return;
    }
    rounds = 0;
    const [client, queue] = first;
    const [next] = queue;
    if (next) leave(client, next);
    // The client goes behind the others.
    if (queues.delete(client)) queues.set(client, queue);
    next?.begin();
  }
  function leave(client: string, waiting: Waiting): void {
    const queue = queues.get(client);
    if (!queue?.delete(waiting)) return;
    if (!waiting.isInWork) waitingCount -= 1;
    if (queue.size === 0) queues.delete(client);
  }
  /** Closes the connection of the newest request of the client with most of them. */
  function closeOne(): void {
    let crowd: { client: string; closable: Waiting[] } | undefined;
    for (const [client, queue] of queues) {
      const closable = [...queue].filter(({ isInWork }) => !isInWork);
      if (closable.length > (crowd?.closable.length ?? 0)) crowd = { client, closable };
    }
    const last = crowd?.closable.at(-1);
    if (!crowd || !last) return;
    leave(crowd.client, last);
    // An answer would take the time that the others wait for.
    last.request.socket.destroy();
  }
  /**
   * Resolves when the request may begin; never, once its connection is closed. Beyond 2,000 it closes one. A
   * request in work always gets its turn: only its end gives its place back.
   */
  return (client: string, request: IncomingMessage, isInWork = false): Promise<void> =>
    new Promise(begin => {
      if (!isTaken) {
        isTaken = true;
        setImmediate(pass);
        begin();
        return;
      }
      hasArrival = true;
      const waiting: Waiting = { begin, request, isInWork };
      queues.set(client, (queues.get(client) ?? new Set()).add(waiting));
      if (isInWork) return;
      waitingCount += 1;
      if (waitingCount > MAX_WAITING) closeOne();
      request.once('close', () => {
        // A body that was read to its end is closed too.
        if (request.socket.destroyed) leave(client, waiting);
      });
    });
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
