/** Waiting work of many clients. Whoever has had the least comes first (least attained service, Kleinrock). */
export interface FairQueue<Job> {
  readonly waiting: number;
  /**
   * @returns the job that found no room: beyond the bound, the newest of the client with the most waiting
   */
  add(client: string, job: Job): Job | undefined;
  next(): Job | undefined;
  /** Counts what a client has had. It is forgotten once nothing waits. */
  charge(client: string, ms: number): void;
}

export function createFairQueue<Job>(most: number): FairQueue<Job> {
  const lines = new Map<string, Job[]>();
  const had = new Map<string, number>();
  let waiting = 0;
  const take = (client: string, which: 'shift' | 'pop'): Job | undefined => {
    const line = lines.get(client) ?? [];
    const job = line[which]();
    if (line.length === 0) lines.delete(client);
    if (job !== undefined) waiting -= 1;
    return job;
  };
  /** Of equal clients the one that came first. */
  const extreme = (isBefore: (one: string, other: string) => boolean): string | undefined =>
    [...lines.keys()].reduce<string | undefined>(
      (found, client) => (found === undefined || isBefore(client, found) ? client : found),
      undefined,
    );
  return {
    get waiting() {
      return waiting;
    },
    add(client, job) {
      const line = lines.get(client) ?? [];
      lines.set(client, line);
      line.push(job);
      waiting += 1;
      if (waiting <= most) return undefined;
      const longest = extreme((one, other) => lines.get(one)!.length > lines.get(other)!.length);
      return take(longest ?? client, 'pop');
    },
    next() {
      const client = extreme((one, other) => (had.get(one) ?? 0) < (had.get(other) ?? 0));
      return client === undefined ? undefined : take(client, 'shift');
    },
    charge(client, ms) {
      if (waiting === 0) had.clear();
      else had.set(client, (had.get(client) ?? 0) + ms);
    },
  };
}
