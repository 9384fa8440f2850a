/** While mail is down, requests do not wait for it. */
export interface Breaker {
  /** Whether a send may be tried now. While mail is down, the first caller becomes the probe. */
  claim(): boolean;
  /** Milliseconds until `claim` can succeed; 0 while mail works. */
  readonly waitMs: () => number;
  /** @returns whether mail came back with this send */
  succeeded(): boolean;
  /** @returns whether mail went down with this failure */
  failed(): boolean;
  readonly isOpen: () => boolean;
}

/**
 * Opens after `threshold` failures in a row; then lets one send through every `probeEveryMs`.
 * @param now milliseconds that never run backwards: a clock set back must not keep mail down
 */
export function createBreaker(threshold: number, probeEveryMs: number, now: () => number): Breaker {
  let failures = 0;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  const isOpen = () => failures >= threshold;
  const waitMs = () => Math.max(0, nextAtMs - now());
  return {
    isOpen,
    waitMs,
    claim() {
      if (waitMs() > 0) return false;
      if (isOpen()) nextAtMs = now() + probeEveryMs;
      return true;
    },
    succeeded() {
      const cameBack = isOpen();
      failures = 0;
      nextAtMs = Number.NEGATIVE_INFINITY;
      return cameBack;
    },
    failed() {
      failures += 1;
      if (isOpen()) nextAtMs = now() + probeEveryMs;
      return failures === threshold;
    },
  };
}
