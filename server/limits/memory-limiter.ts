import type { BucketName, Policies } from '../../tools/policies.ts';
import { type Counted, countedOf, type RateLimiter, stateOf } from './rate-limiter.ts';

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
export function createMemoryLimiter(options: MemoryLimiterOptions): RateLimiter {
  const { policies, monotonicMs, maxClients = 100_000 } = options;
  const logs = new Map<BucketName, Map<string, TimeLog>>();

  function rowOf(bucket: BucketName, client: string, at: number): CountedLog {
    const counted = countedOf(bucket, client, policies);
    const clients = logs.get(bucket) ?? new Map<string, TimeLog>();
    logs.set(bucket, clients);
    const log = clients.get(counted.key) ?? { times: [], start: 0 };
    dropUntil(log, at - counted.windowMs);
    return { clients, log, ...counted };
  }

  return {
    async hit(client, buckets, slots) {
      const at = monotonicMs();
      const rows = buckets.map(bucket => rowOf(bucket, client, at));
      const ok = rows.every(({ log, policy }) => usedIn(log) + slots <= policy.quota);
      if (ok && slots > 0) for (const row of rows) take(row, at, maxClients);
      return {
        ok,
        states: rows.map(row => stateOf(row, usedIn(row.log), (oldestIn(row.log) ?? at) - at + row.windowMs)),
        giveBack: async () => {
          if (ok && slots > 0) for (const { log } of rows) remove(log, at);
        },
      };
    },
  };
}

/** Times in ascending order; those before `start` are out of the window. */
interface TimeLog {
  readonly times: number[];
  start: number;
}

interface CountedLog extends Counted {
  /** In order of the last hit. */
  readonly clients: Map<string, TimeLog>;
  readonly log: TimeLog;
}

const usedIn = ({ times, start }: TimeLog) => times.length - start;
const oldestIn = ({ times, start }: TimeLog) => times[start];

/** A slot taken exactly one window ago is free again. Dropping the oldest is cheap, however many there are. */
function dropUntil(log: TimeLog, limit: number): void {
  while ((oldestIn(log) ?? Number.POSITIVE_INFINITY) <= limit) log.start += 1;
  if (log.start * 2 <= log.times.length) return;
  log.times.splice(0, log.start);
  log.start = 0;
}

function take({ clients, key, log, windowMs }: CountedLog, at: number, maxClients: number): void {
  log.times.push(at);
  clients.delete(key);
  clients.set(key, log);
  for (const [other, { times }] of clients) {
    const newest = times.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (clients.size <= maxClients && newest > at - windowMs) return;
    clients.delete(other);
  }
}

function remove({ times, start }: TimeLog, at: number): void {
  const index = times.lastIndexOf(at);
  if (index >= start) times.splice(index, 1);
}
