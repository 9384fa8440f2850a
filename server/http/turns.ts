import type { H3Event } from 'h3';
import { ServiceError } from '../../tools/errors.ts';

/**
 * Requests of one client that are worked on at the same time: fewer than Postgres gives connections to one
 * process (server/outbox/postgres.ts), also for a network.
 */
const AT_ONCE = 8;

/** An IPv6 /48 may be a whole office, and counts as one client here. */
const AT_ONCE_OF_NETWORK = 16;

/** A person or an agent has a few; the next ones are refused at once. */
const MAX_WAITING = 100;

/** Bodies that may arrive at the same time from one client: each holds a socket for up to 20 s. */
const MAX_ARRIVING = 200;

interface ClientQueue {
  inWork: number;
  arriving: number;
  readonly waiting: (() => void)[];
}

/** The turn of one request. */
export interface Turn {
  /** Waits without holding the turn, as for a body that arrives slowly; then takes a turn again. */
  readonly pause: <Result>(wait: () => Promise<Result>) => Promise<Result>;
}

/**
 * Gives each client its turns, so that one client does not take every connection of the database or hold
 * every socket.
 * @example
 * const turns = new Turns();
 * const answer = await turns.take(clientHash, false, async turn => {
 *   const body = await turn.pause(() => readBody(request));
 *   return store(body);
 * });
 */
export class Turns {
  readonly #queues = new Map<string, ClientQueue>();

  /** Whether a hundred requests of this client wait already. */
  isFull(client: string): boolean {
    return (this.#queues.get(client)?.waiting.length ?? 0) >= MAX_WAITING;
  }

  /** Whether two hundred bodies of this client are on their way. */
  isFlooded(client: string): boolean {
    return (this.#queues.get(client)?.arriving ?? 0) >= MAX_ARRIVING;
  }

  /** Does the work once this client has fewer than eight requests in work; an IPv6 network has sixteen. */
  async take<Result>(
    client: string,
    isNetwork: boolean,
    work: (turn: Turn) => Result,
  ): Promise<Awaited<Result>> {
    const limit = isNetwork ? AT_ONCE_OF_NETWORK : AT_ONCE;
    const pause: Turn['pause'] = async wait => {
      const queue = this.#queueOf(client);
      queue.arriving += 1;
      this.#leave(client);
      try {
        return await wait();
      } finally {
        queue.arriving -= 1;
        await this.#enter(client, limit);
      }
    };
    await this.#enter(client, limit);
    try {
      return await work({ pause });
    } finally {
      this.#leave(client);
    }
  }

  async #enter(client: string, limit: number): Promise<void> {
    const queue = this.#queueOf(client);
    if (queue.inWork < limit) queue.inWork += 1;
    else await new Promise<void>(resolve => queue.waiting.push(resolve));
  }

  #queueOf(client: string): ClientQueue {
    const queue = this.#queues.get(client) ?? { inWork: 0, arriving: 0, waiting: [] };
    this.#queues.set(client, queue);
    return queue;
  }

  /** The next waiting request takes the place of the one that ends. */
  #leave(client: string): void {
    const queue = this.#queues.get(client);
    if (!queue) return;
    const next = queue.waiting.shift();
    if (next) {
      next();
      return;
    }
    queue.inWork -= 1;
    if (queue.inWork === 0 && queue.arriving === 0) this.#queues.delete(client);
  }
}

/** Refuses a request without reading its body. @throws ServiceError `rate_limited` */
export function refuseCrowded({ context }: H3Event): never {
  // What is left of a slow body would hold the connection.
  context.headers.push(['connection', 'close']);
  throw new ServiceError('rate_limited', {
    message: 'Too many requests at the same time.',
    hint: 'Wait 1 second, then send fewer at once. The limits are documented in /llms.txt.',
    retryAfterSeconds: 1,
    logged: { refused: 'too many at once' },
  });
}
