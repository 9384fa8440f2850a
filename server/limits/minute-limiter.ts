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
  const buckets = new Map<MinuteBucket, Map<string, number[]>>();

  function clientsOf(bucket: MinuteBucket): Map<string, number[]> {
    const clients = buckets.get(bucket) ?? new Map<string, number[]>();
    buckets.set(bucket, clients);
    return clients;
  }

  /** The times of a client within the window that ends now. One of exactly a window ago is out of it. */
  function timesOf(client: string, bucket: MinuteBucket, nowMs: number): number[] {
    const times = clientsOf(bucket).get(client) ?? [];
    while ((times[0] ?? Number.POSITIVE_INFINITY) <= nowMs - windowMs) times.shift();
    return times;
  }

  function stateOf(times: readonly number[], nowMs: number): QuotaState {
    const oldestMs = times[0] ?? nowMs;
    return quotaState(policies, 'default', times.length, oldestMs - nowMs + windowMs);
  }

  return {
    /** Takes one of the requests of a minute, if there is one left. */
    take(client: string, bucket: MinuteBucket): { readonly ok: boolean; readonly state: QuotaState } {
      const nowMs = monotonicMs();
      const times = timesOf(client, bucket, nowMs);
      const ok = times.length < quota;
      if (ok) {
        times.push(nowMs);
        const clients = clientsOf(bucket);
        clients.delete(client);
        clients.set(client, times);
        forget(clients, nowMs - windowMs, maxClients);
      }
      return { ok, state: stateOf(times, nowMs) };
    },
    /** What is left, without taking any. */
    look(client: string, bucket: MinuteBucket): QuotaState {
      const nowMs = monotonicMs();
      return stateOf(timesOf(client, bucket, nowMs), nowMs);
    },
  };
}

export type MinuteLimiter = ReturnType<typeof createMinuteLimiter>;

/**
 * Forgets clients without a request in the window, and the oldest ones beyond `maxClients`. The map has them
 * in the order of their last request.
 */
function forget(clients: Map<string, number[]>, limitMs: number, maxClients: number): void {
  for (const [client, times] of clients) {
    const newestMs = times.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (clients.size <= maxClients && newestMs > limitMs) return;
    clients.delete(client);
  }
}
