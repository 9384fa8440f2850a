export type Breaker = ReturnType<typeof createBreaker>;

/**
 * While mail is down, requests do not wait for it. The breaker opens after several failures in a row; then it lets one send
 * through every `probeEveryMs`.
 * @param now milliseconds that never run backwards: a clock set back must not keep mail down
 */
export function createBreaker(probeEveryMs: number, now: () => number) {
  let failures = 0;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  const isOpen = () => failures >= FAILURES_TO_OPEN;
  /** Milliseconds until `claim` can succeed; 0 while mail works. */
  const waitMs = () => Math.max(0, nextAtMs - now());
  return {
    waitMs,
    /** Whether a send may be tried now. While mail is down, the first caller becomes the probe. */
    claim(): boolean {
      if (waitMs() > 0) return false;
      if (isOpen()) nextAtMs = now() + probeEveryMs;
      return true;
    },
    /** @returns whether mail came back with this send */
    succeeded(): boolean {
      const cameBack = isOpen();
      failures = 0;
      nextAtMs = Number.NEGATIVE_INFINITY;
      return cameBack;
    },
    /** @returns whether mail went down with this failure */
    failed(): boolean {
      failures += 1;
      if (isOpen()) nextAtMs = now() + probeEveryMs;
      return failures === FAILURES_TO_OPEN;
    },
  };
}

/** Failures in a row after which requests no longer wait for mail. */
const FAILURES_TO_OPEN = 5;
