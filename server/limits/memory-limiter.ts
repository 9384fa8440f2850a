import type { BucketName, Policies } from '../../tools/policies.ts';
import { type Counted, keyIn, type RateLimiter, ruleOf, stateOf } from './rate-limiter.ts';

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
  const logs = new Map<BucketName, BucketLog>();

  function open(bucket: BucketName): BucketLog {
    const opened = { ...ruleOf(bucket, policies), clients: new Map<string, TimeLog>() };
    logs.set(bucket, opened);
    return opened;
  }

  function rowOf(bucket: BucketName, client: string, at: number): CountedLog {
    const { name, policy, clients } = logs.get(bucket) ?? open(bucket);
    const key = keyIn(policy, client);
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
        states: rows.map(row => stateOf(row, row.times.size, waitMs(row, at))),
        giveBack: async () => {
          if (ok && slots > 0) for (const { times } of rows) times.remove(at);
        },
      };
    },
  };
}

function take({ clients, key, times, policy }: CountedLog, at: number, maxClients: number): void {
  times.add(at);
  clients.delete(key);
  clients.set(key, times);
  forget(clients, at - policy.windowSeconds * 1000, maxClients);
}

/** Made once: questions pass through here. */
interface BucketLog extends Omit<Counted, 'key'> {
  readonly clients: Map<string, TimeLog>;
}

interface CountedLog extends Counted, BucketLog {
  readonly times: TimeLog;
}

const waitMs = ({ policy, times }: CountedLog, at: number) => (times.oldest ?? at) - at + policy.windowSeconds * 1000;

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
