import type { MailError } from '../mail/mailer.ts';
import { OVERDUE_AFTER_MS } from './entry.ts';

/** When a failed send is tried again. Tests and `npm run torture` shorten the times. */
export interface Schedule {
  /** A request waits no longer than this for its mail. */
  readonly inlineBudgetMs: number;
  /** One send may take this long. */
  readonly attemptTimeoutMs: number;
  /** Retries while the request waits: full jitter below `base · 2^n`, at most `cap`. */
  readonly inlineRetries: number;
  readonly inlineBaseMs: number;
  readonly inlineCapMs: number;
  /** Pauses between later attempts; the last one repeats. */
  readonly pausesMs: readonly number[];
  /** While mail is down, one attempt in this time finds out whether it still is. */
  readonly probeEveryMs: number;
}

const MINUTE = 60_000;

export const SCHEDULE: Schedule = {
  inlineBudgetMs: 12_000,
  attemptTimeoutMs: 4_000,
  inlineRetries: 2,
  inlineBaseMs: 300,
  inlineCapMs: 2_000,
  pausesMs: [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE],
  probeEveryMs: 30_000,
};

/**
 * How long to wait before the next try within a request; `undefined`: no further try. What surely was not sent is tried
 * again; what may have been sent once at most; what an operator must mend not at all.
 * @param failures of this request, oldest first
 */
export function inlinePause(
  failures: readonly MailError[],
  schedule: Schedule,
  random: () => number,
): number | undefined {
  const last = failures.at(-1);
  if (last?.kind !== 'temporary' && last?.kind !== 'ambiguous') return undefined;
  const isMaybeSentTwice = failures.filter(({ kind }) => kind === 'ambiguous').length > 1;
  if (failures.length > schedule.inlineRetries || isMaybeSentTwice) return undefined;
  return random() * Math.min(schedule.inlineCapMs, schedule.inlineBaseMs * 2 ** (failures.length - 1));
}

/**
 * When a submission is tried again in the background; `undefined` once it is overdue.
 * @param tries background attempts so far
 */
export function nextTryAtMs(
  receivedAtMs: number,
  tries: number,
  nowMs: number,
  schedule: Schedule,
): number | undefined {
  const lastTryAtMs = receivedAtMs + OVERDUE_AFTER_MS;
  if (nowMs >= lastTryAtMs) return undefined;
  const pauseMs = schedule.pausesMs[tries] ?? schedule.pausesMs.at(-1) ?? 0;
  return Math.min(nowMs + pauseMs, lastTryAtMs);
}
