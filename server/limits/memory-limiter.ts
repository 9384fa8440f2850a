import {
  BUCKETS,
  type BucketName,
  limitOf,
  type Policies,
  type Policy,
  type PolicyName,
  type QuotaState,
} from '../../tools/policies.ts';

/** The outcome of one check over several buckets: every state, and whether all of them had a free slot. */
export interface Verdict {
  readonly ok: boolean;
  /** In the order of the buckets asked for, after the slots were taken. */
  readonly states: readonly QuotaState[];
  /** Takes back what this hit took. */
  readonly giveBack: () => Promise<void>;
}

/** Counts accepted requests; adapters differ in where they keep the counts. */
export interface RateLimiter {
  /** Takes `slots` (0 looks only, 1 takes) in every bucket or in none. */
  hit(client: string, buckets: readonly BucketName[], slots: 0 | 1): Promise<Verdict>;
}

interface MemoryLimiterOptions {
  readonly policies: Policies;
  /** Milliseconds that never run backwards: setting the clock back must not free slots. */
  readonly monotonicMs: () => number;
  /** Clients remembered per bucket; beyond it the one unseen for longest is forgotten. */
  readonly maxClients?: number;
}

/**
 * A sliding log in memory: the times of the accepted requests of the last window, so that no window of any position
 * holds more than the quota, and the wait is exact. Fixed windows let twice the quota through at their border.
 */
export function createMemoryLimiter({
  policies,
  monotonicMs,
  maxClients = 100_000,
}: MemoryLimiterOptions): RateLimiter {
  const logs = new Map<BucketName, Map<string, TimeLog>>();

  function rowOf(bucket: BucketName, client: string, at: number): Counted {
    const name = BUCKETS[bucket].policy;
    const policy = limitOf(BUCKETS[bucket], policies);
    const clients = logs.get(bucket) ?? new Map<string, TimeLog>();
    logs.set(bucket, clients);
    const key = policy.scope === 'service' ? 'service' : client;
    const times = clients.get(key) ?? new TimeLog();
    times.dropUntil(at - policy.windowSeconds * 1000);
    return { name, policy, clients, key, times };
  }

  return {
    async hit(client, buckets, slots) {
      const at = monotonicMs();
      const rows = buckets.map(bucket => rowOf(bucket, client, at));
      const ok = rows.every(({ times, policy }) => times.size + slots <= policy.quota);
      if (ok && slots > 0) for (const row of rows) take(row, at, maxClients);
      return {
        ok,
        states: rows.map(row => stateOf(row, at)),
        giveBack: async () => {
          if (ok && slots > 0) for (const { times } of rows) times.remove(at);
        },
      };
    },
  };
}

function take({ clients, key, times, policy }: Counted, at: number, maxClients: number): void {
  times.add(at);
  clients.delete(key);
  clients.set(key, times);
  forget(clients, at - policy.windowSeconds * 1000, maxClients);
}

/** One policy for one client, at the time of a check. */
interface Counted {
  readonly name: PolicyName;
  readonly policy: Policy;
  readonly clients: Map<string, TimeLog>;
  readonly key: string;
  readonly times: TimeLog;
}

function stateOf({ name, policy: { quota, windowSeconds }, times }: Counted, at: number): QuotaState {
  const { oldest, size } = times;
  const resetSeconds = oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest - at) / 1000 + windowSeconds));
  return { policy: name, quota, windowSeconds, remaining: Math.max(0, quota - size), resetSeconds };
}

/** Times in ascending order; dropping the oldest is cheap however many there are. */
class TimeLog {
  #times: number[] = [];
  #start = 0;

  get size(): number {
    return this.#times.length - this.#start;
  }

  get oldest(): number | undefined {
    return this.#times[this.#start];
  }

  get newest(): number {
    return this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  add(time: number): void {
    this.#times.push(time);
  }

  remove(time: number): void {
    const at = this.#times.lastIndexOf(time);
    if (at >= this.#start) this.#times.splice(at, 1);
  }

  /** A slot taken exactly one window ago is free again. */
  dropUntil(limit: number): void {
    while (this.oldest !== undefined && this.oldest <= limit) this.#start += 1;
    if (this.#start * 2 <= this.#times.length) return;
    this.#times = this.#times.slice(this.#start);
    this.#start = 0;
  }
}

/** The map is in order of the last hit, so expired clients come first. */
function forget(clients: Map<string, TimeLog>, limit: number, maxClients: number): void {
  for (const [key, times] of clients) {
    if (clients.size <= maxClients && times.newest > limit) return;
    clients.delete(key);
  }
}
