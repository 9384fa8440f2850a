/** How the sending of one submission ended. */
export type Sent = 'delivered' | 'kept' | 'not-kept';

/** Never two sends of one submission at once: who comes second waits for the first and shares its end. */
export interface InFlight {
  join(id: string, send: () => Promise<Sent>): Promise<Sent>;
  has(id: string): boolean;
  /** Resolves when everything under way has ended. */
  settled(): Promise<unknown>;
}

export function createInFlight(): InFlight {
  const underWay = new Map<string, Promise<Sent>>();
  return {
    join(id, send) {
      const first = underWay.get(id);
      if (first) return first;
      const own = send().finally(() => underWay.delete(id));
      underWay.set(id, own);
      return own;
    },
    has: id => underWay.has(id),
    settled: () => Promise.allSettled(underWay.values()),
  };
}
