import { type MinuteBucket, type Policies, type QuotaState, quotaState } from '../../tools/policies.ts';

// server/limits counts requests. The 60 a minute are counted here, in the memory of this process, and each
// response shows what is left. The hourly limits are counted from the submissions themselves
// (server/outbox/hourly-limits.ts).

interface MinuteLimiterOptions {
  readonly policies: Policies;
  /** Milliseconds that never run backwards, so that setting the clock back frees nothing. */
  readonly monotonicMs: () => number;
  /** Clients remembered per bucket. One more makes it forget the client that was unseen for longest. */
  readonly maxClients?: number;
}

/**
 * A sliding log: it keeps the times of the accepted requests of the last window. No window at any position
 * has more than the quota, and the wait is exact. Fixed windows would let twice the quota through at their
 * border.
 *
 * @example
 * const limiter = createMinuteLimiter({ policies: POLICIES, monotonicMs: () => performance.now() });
 * const { ok, state } = limiter.take('client-1', 'ask');
 */
export function createMinuteLimiter(options: MinuteLimiterOptions) {
  const { policies, monotonicMs, maxClients = 100_000 } = options;
  const { quota, windowSeconds } = policies.default;
  const windowMs = windowSeconds * 1000;
  const buckets = new Map<MinuteBucket, Map<string, TimeLog>>();

  function clientsOf(bucket: MinuteBucket): Map<string, TimeLog> {
    const clients = buckets.get(bucket) ?? new Map<string, TimeLog>();
    buckets.set(bucket, clients);
    return clients;
  }

  /** The times of a client within the window that ends now. */
  function timesOf(client: string, bucket: MinuteBucket, nowMs: number): TimeLog {
    const log = clientsOf(bucket).get(client) ?? { times: [], start: 0 };
    dropUntil(log, nowMs - windowMs);
    return log;
  }

  function stateOf({ times, start }: TimeLog, nowMs: number): QuotaState {
    const oldestMs = times[start] ?? nowMs;
    return quotaState(policies, 'default', times.length - start, oldestMs - nowMs + windowMs);
  }

  return {
    /** Takes one of the requests of a minute, if there is one left. */
    take(client: string, bucket: MinuteBucket): { readonly ok: boolean; readonly state: QuotaState } {
      const nowMs = monotonicMs();
      const log = timesOf(client, bucket, nowMs);
      const ok = log.times.length - log.start < quota;
      if (ok) {
        log.times.push(nowMs);
        const clients = clientsOf(bucket);
        clients.delete(client);
        clients.set(client, log);
        forget(clients, nowMs - windowMs, maxClients);
      }
      return { ok, state: stateOf(log, nowMs) };
    },
    /** What is left, without taking any. */
    look(client: string, bucket: MinuteBucket): QuotaState {
      const nowMs = monotonicMs();
      return stateOf(timesOf(client, bucket, nowMs), nowMs);
    },
  };
}

export type MinuteLimiter = ReturnType<typeof createMinuteLimiter>;

/** Times in ascending order; those before `start` are out of the window. */
interface TimeLog {
  readonly times: number[];
  start: number;
}

/**
 * Drops requests that are one window old or older. Moving `start` is cheap, however many there are.
 */
function dropUntil(log: TimeLog, limitMs: number): void {
  while ((log.times[log.start] ?? Number.POSITIVE_INFINITY) <= limitMs) log.start += 1;
  if (log.start * 2 <= log.times.length) return;
  log.times.splice(0, log.start);
  log.start = 0;
}

/**
 * Forgets clients without a request in the window, and the oldest ones beyond `maxClients`. The map has them
 * in the order of their last request.
 */
function forget(clients: Map<string, TimeLog>, limitMs: number, maxClients: number): void {
  for (const [client, { times }] of clients) {
    const newestMs = times.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (clients.size <= maxClients && newestMs > limitMs) return;
    clients.delete(client);
  }
}
