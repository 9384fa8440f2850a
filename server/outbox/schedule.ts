import { HOUR_MS, MINUTE_MS } from '../config/timing.ts';

/** When a failed delivery is tried again. All kinds share it. */
export const SCHEDULE = {
  /** How long a request waits for its mail. */
  inlineBudgetMs: 12_000,
  /** Bound of one send. */
  attemptTimeoutMs: 4_000,
  /** Pauses between the tries while the request waits. */
  inlinePausesMs: [300, 600],
  /** Pauses between later attempts; the last one repeats. */
  pausesMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
  /** Pause of all mail after a try that failed before the mail's content. */
  probeEveryMs: 5_000,
  /** Pause after a failure of the database. */
  reopenAfterMs: 2_000,
  /** How often a process looks for deliveries of other processes. */
  pollEveryMs: 15_000,
  /** How long a process leases a delivery: longer than `inlineBudgetMs` and one send. */
  leaseMs: 20_000,
};

/** Tests and `npm run bench -- torture` shorten the times. */
export type Schedule = Readonly<typeof SCHEDULE>;

/** How long a delivery is tried, at least once an hour. */
const TRIED_FOR_MS = 48 * HOUR_MS;
const LEAST_TRIES = 48;

/**
 * The time of the next try, or null if there is none. Tries end after 48 hours and 48 failures: a clock that
 * jumps ahead must not end them.
 */
export function nextTry(
  { receivedAtMs, tries, nowMs }: { receivedAtMs: number; tries: number; nowMs: number },
  { pausesMs }: Schedule,
): number | null {
  const lastAtMs = receivedAtMs + TRIED_FOR_MS;
  if (nowMs >= lastAtMs && tries > LEAST_TRIES) return null;
  const dueAtMs = nowMs + (pausesMs[tries - 1] ?? pausesMs.at(-1) ?? 0);
  return nowMs < lastAtMs ? Math.min(dueAtMs, lastAtMs) : dueAtMs;
}

export type Breaker = ReturnType<typeof createBreaker>;

/** Failures in a row after which mail counts as down. */
const FAILURES_TO_TELL = 5;

/**
 * Pauses mail for `probeEveryMs` after a failed try, so that requests do not wait for a mail server that is
 * down.
 * @param now milliseconds that never run backwards, so that a clock set back does not prolong the pause
 */
export function createBreaker(probeEveryMs: number, now: () => number) {
  let failures = 0;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds until a mail may be tried. */
    waitMs: () => Math.max(0, nextAtMs - now()),
    /** @returns whether mail was down until now */
    succeeded(): boolean {
      const isBack = failures >= FAILURES_TO_TELL;
      failures = 0;
      nextAtMs = Number.NEGATIVE_INFINITY;
      return isBack;
    },
    /** @returns whether mail counts as down from now on */
    failed(): boolean {
      failures += 1;
      nextAtMs = now() + probeEveryMs;
      return failures === FAILURES_TO_TELL;
    },
  };
}
