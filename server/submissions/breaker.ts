/** Keeps requests from waiting for mail that is known to be down. */
export interface Breaker {
  /** Whether a send may be tried now. While mail is down the first to ask becomes the probe, the others wait. */
  claim(nowMs: number): boolean;
  /** When `claim` can next succeed; 0 while mail works. */
  readonly nextAtMs: () => number;
  /** @returns whether mail came back with this send */
  succeeded(): boolean;
  /** @returns whether mail went down with this failure */
  failed(): boolean;
  readonly isOpen: () => boolean;
}

/** Opens after `threshold` failures in a row; then lets one send through every `probeEveryMs`. */
export function createBreaker(threshold: number, probeEveryMs: number, now: () => number): Breaker {
  let failures = 0;
  let nextAtMs = 0;
  const isOpen = () => failures >= threshold;
  return {
    isOpen,
    nextAtMs: () => nextAtMs,
    claim(nowMs) {
      if (nowMs < nextAtMs) return false;
      if (isOpen()) nextAtMs = nowMs + probeEveryMs;
      return true;
    },
    succeeded() {
      const cameBack = isOpen();
      failures = 0;
      nextAtMs = 0;
      return cameBack;
    },
    failed() {
      failures += 1;
      if (isOpen()) nextAtMs = now() + probeEveryMs;
      return failures === threshold;
    },
  };
}
