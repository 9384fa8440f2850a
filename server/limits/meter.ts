/** The processor time that clients use where no quota counts their requests. */
export interface Meter {
  /** Adds work that was done for a client. Milliseconds. */
  readonly charge: (client: string, ms: number) => void;
  /** Whole seconds until the client may go on; 0 while it may. */
  readonly waitSeconds: (client: string) => number;
}

/** What one client may use at once, and what it gets back each second: a tenth of a core. Milliseconds. */
export const BURST_MS = 1000;
const BACK_PER_SECOND_MS = 100;

/** Clients that are remembered; beyond them the one that was charged least recently is forgotten. */
const MOST_CLIENTS = 100_000;

/** A bucket of processor time for each client: work drains it, time fills it. @param monotonicMs never runs backwards */
export function createMeter(monotonicMs: () => number): Meter {
  const used = new Map<string, { readonly ms: number; readonly at: number }>();
  const usedNow = (client: string) => {
    const { ms, at } = used.get(client) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - ((monotonicMs() - at) * BACK_PER_SECOND_MS) / 1000);
  };
  return {
    charge(client, ms) {
      const sum = usedNow(client) + ms;
      used.delete(client);
      used.set(client, { ms: sum, at: monotonicMs() });
      const [oldest] = used.keys();
      if (used.size > MOST_CLIENTS && oldest !== undefined) used.delete(oldest);
    },
    waitSeconds(client) {
      // Each request asks, and hardly any has to wait.
      if ((used.get(client)?.ms ?? 0) <= BURST_MS) return 0;
      return Math.ceil(Math.max(0, usedNow(client) - BURST_MS) / BACK_PER_SECOND_MS);
    },
  };
}
