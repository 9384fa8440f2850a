import { HOUR_MS, MINUTE_MS } from '../config/timing.ts';
import type { Failure } from './senders.ts';

/** When a delivery that failed is tried again; the same for all. */
export const SCHEDULE = {
  /** A request waits no longer than this for its mail. */
  inlineBudgetMs: 12_000,
  /**
   * So long after its commit a submission's event is sent: its commits would slow the visitor's answer down.
   */
  webhookAfterMs: 100,
  /** One send may take this long. */
  attemptTimeoutMs: 4_000,
  /** Retries while the request waits: full jitter below `base · 2^n`, at most `cap`. */
  inlineRetries: 2,
  inlineBaseMs: 300,
  inlineCapMs: 2_000,
  /** Pauses between later attempts; the last one repeats. */
  pausesMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS],
  /** After a try that failed before the mail's own content, mail is not tried for so long. */
  probeEveryMs: 5_000,
  /** After a failure of the database it is looked at again so soon. */
  reopenAfterMs: 2_000,
  /** How often a process looks for what others left behind. */
  pollEveryMs: 15_000,
  /** How long a process may hold a delivery that it sends: longer than the budget and one send. */
  leaseMs: 20_000,
};

/** Tests and `npm run bench -- torture` shorten the times. */
export type Schedule = Readonly<typeof SCHEDULE>;

/**
 * How long to wait before the next try within a request; `undefined`: no further try. It tries again after a
 * temporary failure, once after an ambiguous one (the mail may have been sent), and never where an operator
 * must act.
 * @param failures of this request, oldest first
 */
export function inlinePause(failures: readonly Failure[], schedule: Schedule, random: () => number) {
  const last = failures.at(-1);
  if (last?.kind !== 'temporary' && last?.kind !== 'ambiguous') return undefined;
  const isMaybeSentTwice = failures.filter(({ kind }) => kind === 'ambiguous').length > 1;
  if (failures.length > schedule.inlineRetries || isMaybeSentTwice) return undefined;
  return random() * Math.min(schedule.inlineCapMs, schedule.inlineBaseMs * 2 ** (failures.length - 1));
}

/** So long a delivery is tried, at least once an hour. */
const TRIED_FOR_MS = 48 * HOUR_MS;
const LEAST_TRIES = 48;

/**
 * When a delivery is tried again after so many tries that failed; `null`: no more. It ends when both the
 * clock and the count of tries say so: a clock that jumps ahead must not end it.
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

/** Failures in a row after which the log says that mail is down. */
const FAILURES_TO_TELL = 5;

/**
 * While mail is down, requests do not wait for it: after a try that failed, none is made for `probeEveryMs`.
 * @param now milliseconds that never run backwards: a clock set back must not keep mail down
 */
export function createBreaker(probeEveryMs: number, now: () => number) {
  let failures = 0;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds until a mail may be tried; 0 while mail works. */
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
