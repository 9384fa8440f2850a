import type { QuotaState } from '../tools/admission.ts';
import { BUCKETS, type BucketName, type Policies } from '../tools/policies.ts';

/** The outcome of one check over several buckets: every state, and whether all of them had a free slot. */
export interface Verdict {
  readonly ok: boolean;
  /** In the order of the buckets asked for, after the slots were taken. */
  readonly states: readonly QuotaState[];
}

/** Counts accepted requests; adapters differ in where they keep the counts. */
export interface RateLimiter {
  /** Takes `slots` (0 looks only, 1 takes) in every bucket or in none. */
  hit(client: string, buckets: readonly BucketName[], slots: 0 | 1): Promise<Verdict>;
}

interface Options {
  readonly policies: Policies;
  /** Monotonic milliseconds: a clock that is set back frees nobody. */
  readonly now: () => number;
  /** Clients remembered per bucket; beyond it the one unseen for longest is forgotten. */
  readonly maxClients?: number;
}

/**
 * A sliding log in memory: the times of the accepted requests of the last window, so that no window of any position
 * holds more than the quota, and the wait is exact. Fixed windows let twice the quota through at their border.
 */
export function createRateLimiter({ policies, now, maxClients = 100_000 }: Options): RateLimiter {
  const logs = new Map<BucketName, Map<string, number[]>>();

  function logOf(bucket: BucketName, client: string): { clients: Map<string, number[]>; key: string; times: number[] } {
    const clients = logs.get(bucket) ?? new Map<string, number[]>();
    logs.set(bucket, clients);
    const key = policies[BUCKETS[bucket].policy].scope === 'service' ? 'service' : client;
    return { clients, key, times: clients.get(key) ?? [] };
  }

  return {
    async hit(client, buckets, slots) {
      const at = now();
      const rows = buckets.map(bucket => {
        const policy = BUCKETS[bucket].policy;
        const row = { ...policies[policy], policy, ...logOf(bucket, client) };
        dropBefore(row.times, at - row.windowSeconds * 1000);
        return row;
      });
      const ok = rows.every(({ times, quota }) => times.length + slots <= quota);
      if (ok && slots > 0) {
        for (const { clients, key, times, windowSeconds } of rows) {
          times.push(at);
          clients.delete(key);
          clients.set(key, times);
          forget(clients, at - windowSeconds * 1000, maxClients);
        }
      }
      return { ok, states: rows.map(row => stateOf(row, at)) };
    },
  };
}

interface Row {
  readonly policy: QuotaState['policy'];
  readonly quota: number;
  readonly windowSeconds: number;
  readonly times: readonly number[];
}

function stateOf({ policy, quota, windowSeconds, times }: Row, at: number): QuotaState {
  const [oldest] = times;
  const freeAt = oldest === undefined ? at : oldest + windowSeconds * 1000;
  return {
    policy,
    quota,
    windowSeconds,
    remaining: Math.max(0, quota - times.length),
    resetSeconds: oldest === undefined ? 0 : Math.max(1, Math.ceil((freeAt - at) / 1000)),
  };
}

/** A slot taken exactly one window ago is free again. */
function dropBefore(times: number[], limit: number): void {
  let expired = 0;
  while (expired < times.length && (times[expired] ?? 0) <= limit) expired += 1;
  if (expired > 0) times.splice(0, expired);
}

/** The map is in order of the last hit: expired clients stand in front. */
function forget(clients: Map<string, number[]>, limit: number, maxClients: number): void {
  for (const [key, times] of clients) {
    if (clients.size <= maxClients && (times.at(-1) ?? 0) > limit) return;
    clients.delete(key);
  }
}
