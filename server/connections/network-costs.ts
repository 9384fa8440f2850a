import { createMeter } from '../limits/meter.ts';

/** What is charged for each. Measured on one core, rounded up. Milliseconds. */
const COSTS = { connection: 0.1, unread: 0.5, headers: 20, piece: 0.01, flood: 100 } as const;

/** Bounds of what a refused request is charged: reading a slow body is no work. Milliseconds. */
const REFUSAL_MS = { least: 0.2, most: 10 } as const;

/** The processor time that refusing each network takes. `undefined` is a trusted proxy: nobody counts what it brings. */
export interface NetworkCosts {
  readonly charge: (network: string | undefined, what: keyof typeof COSTS) => void;
  /** @param ms the time that the request took, from its head to its answer */
  readonly chargeRefusal: (network: string | undefined, ms: number) => void;
  /** Whether the network has used its processor time: it is not let in then. */
  readonly isSpent: (network: string | undefined) => boolean;
}

export function createNetworkCosts(): NetworkCosts {
  const meter = createMeter(() => performance.now());
  const charge = (network: string | undefined, ms: number) => {
    if (network !== undefined) meter.charge(network, ms);
  };
  return {
    charge: (network, what) => charge(network, COSTS[what]),
    chargeRefusal: (network, ms) => charge(network, Math.min(REFUSAL_MS.most, Math.max(REFUSAL_MS.least, ms))),
    isSpent: network => network !== undefined && meter.waitSeconds(network) > 0,
  };
}
