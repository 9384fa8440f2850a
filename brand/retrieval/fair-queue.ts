/**
 * Waiting work of many clients. Whoever has had the least comes first (least attained service, Kleinrock). A client that has had
 * much rests after each turn while others ask too: a turn cannot be divided, so theirs would always wait behind one.
 */
export interface FairQueue<Job> {
  readonly waiting: number;
  /**
   * @returns the job that found no room: beyond the bound, the newest of the client with the most waiting
   */
  add(client: string, job: Job): Job | undefined;
  /** The next job of a client that does not rest. */
  next(): Job | undefined;
  /** Counts the turn that a client has had. */
  charge(client: string, ms: number): void;
  /** Milliseconds until a client that waits may go on, where all of them rest. */
  restMs(): number | undefined;
  /** Removes what waits and is so. */
  remove(isSo: (job: Job) => boolean): Job[];
}

/** What a client may have before it rests, and what is forgotten of it each second. Milliseconds. */
const BURST_MS = 500;
const FORGOTTEN_PER_SECOND_MS = 100;

/** A rest is so many times as long as the turn before it: two of three short questions find the thread free. */
const REST = 2;

/** Others ask too, where one of them had a turn so recently. */
const RECENT_MS = 2000;

interface Had {
  readonly ms: number;
  readonly at: number;
  readonly restsUntil: number;
}

/** @param monotonicMs never runs backwards */
export function createFairQueue<Job>(most: number, monotonicMs = () => performance.now()): FairQueue<Job> {
  const lines = new Map<string, Job[]>();
  const had = new Map<string, Had>();
  const take = (client: string, which: 'shift' | 'pop'): Job | undefined => {
    const line = lines.get(client) ?? [];
    const job = line[which]();
    if (line.length === 0) lines.delete(client);
    return job;
  };
  const hadNow = (client: string): number => {
    const { ms, at } = had.get(client) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - ((monotonicMs() - at) * FORGOTTEN_PER_SECOND_MS) / 1000);
  };
  const restOf = (client: string): number => Math.max(0, (had.get(client)?.restsUntil ?? 0) - monotonicMs());
  /** Of equal clients the one that came first. */
  const leastBy = (clients: readonly string[], measure: (client: string) => number): string | undefined =>
    clients.reduce<string | undefined>(
      (found, client) => (found === undefined || measure(client) < measure(found) ? client : found),
      undefined,
    );
  const waiting = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0);
  return {
    get waiting() {
      return waiting();
    },
    add(client, job) {
      const line = lines.get(client) ?? [];
      lines.set(client, line);
      line.push(job);
      if (waiting() <= most) return undefined;
      const longest = leastBy([...lines.keys()], one => -(lines.get(one)?.length ?? 0));
      return take(longest ?? client, 'pop');
    },
    next() {
      const awake = [...lines.keys()].filter(client => restOf(client) === 0);
      const client = leastBy(awake, hadNow);
      return client === undefined ? undefined : take(client, 'shift');
    },
    charge(client, ms) {
      const [sum, at] = [hadNow(client) + ms, monotonicMs()];
      for (const [one, { at: last }] of had) if (at - last > RECENT_MS && hadNow(one) === 0) had.delete(one);
      const othersAsk = [...had].some(([one, { at: last }]) => one !== client && at - last <= RECENT_MS);
      had.set(client, { ms: sum, at, restsUntil: sum > BURST_MS && othersAsk ? at + ms * REST : 0 });
    },
    restMs() {
      const sleeper = leastBy([...lines.keys()], restOf);
      return sleeper === undefined ? undefined : restOf(sleeper);
    },
    remove(isSo) {
      const removed: Job[] = [];
      for (const [client, line] of lines) {
        removed.push(...line.filter(isSo));
        const left = line.filter(job => !isSo(job));
        if (left.length > 0) lines.set(client, left);
        else lines.delete(client);
      }
      return removed;
    },
  };
}
