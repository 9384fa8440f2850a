/** How long the waiting requests of one network may go on before others are looked at. Milliseconds. */
const SLICE_MS = 2;

/** Lets the requests of crowded networks wait for their turns. */
export interface Turns {
  /** Begins a request after those of its network that came before it. */
  readonly wait: (network: string, begin: () => void) => void;
}

/**
 * Between two looks at the sockets, a crowded network gets one slice of time: whoever else asks meanwhile is answered at once,
 * and waits for one slice, not for a hundred requests.
 */
export function createTurns(): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let isPlanned = false;
  const plan = () => {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      answer([...waiting.keys()]);
    });
  };
  const answer = ([network, ...others]: readonly string[], endMs = performance.now() + SLICE_MS): void => {
    if (network === undefined) {
      plan();
      return;
    }
    const requests = waiting.get(network) ?? [];
    requests.shift()?.();
    if (requests.length === 0) waiting.delete(network);
    const goesOn = requests.length > 0 && performance.now() < endMs;
    afterPromises(() => (goesOn ? answer([network, ...others], endMs) : answer(others)));
  };
  return {
    wait(network, begin) {
      const requests = waiting.get(network) ?? [];
      if (requests.length === 0) waiting.set(network, requests);
      requests.push(begin);
      plan();
    },
  };
}

/** Once all promises that a request kept are kept: Node runs a tick when no microtask is left. */
const afterPromises = (act: () => void): void => queueMicrotask(() => process.nextTick(act));
