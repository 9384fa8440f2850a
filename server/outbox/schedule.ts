import type { MailError } from '../mail/mailer.ts';
import type { Plan } from './sending.ts';
import { TRIED_FOR_MS } from './stored-submission.ts';

const MINUTE = 60_000;

/** When a failed send is tried again. */
export const SCHEDULE = {
  /** A request waits no longer than this for its mail. */
  inlineBudgetMs: 12_000,
  /** One send may take this long. */
  attemptTimeoutMs: 4_000,
  /** Retries while the request waits: full jitter below `base · 2^n`, at most `cap`. */
  inlineRetries: 2,
  inlineBaseMs: 300,
  inlineCapMs: 2_000,
  /** Pauses between later attempts; the last one repeats. */
  pausesMs: [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE],
  /** While mail is down, one attempt in this time finds out whether it still is. */
  probeEveryMs: 30_000,
  /** How often a process looks for what others left behind. */
  pollEveryMs: 15_000,
  /** How long a process may hold a submission that it sends: longer than the budget and one send. */
  leaseMs: 20_000,
};

/** Tests and `npm run bench -- torture` shorten the times. */
export type Schedule = Readonly<typeof SCHEDULE>;

/**
 * How long to wait before the next try within a request; `undefined`: no further try. It tries again after a temporary
 * failure, once after an ambiguous one (the mail may have been sent), and never where an operator must act.
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
 * When a submission is tried again in the background. It ends when both the clock and the count of tries say so: a clock
 * that jumps ahead must not end it.
 * @param tries background attempts so far
 */
export function nextTry(receivedAtMs: number, tries: number, nowMs: number, { pausesMs }: Schedule): Plan {
  const lastAtMs = receivedAtMs + TRIED_FOR_MS;
  if (nowMs >= lastAtMs && tries >= triesWithin(TRIED_FOR_MS, pausesMs)) return { dueAtMs: undefined, tries };
  const dueAtMs = nowMs + (pausesMs[tries] ?? pausesMs.at(-1) ?? 0);
  return { dueAtMs: nowMs < lastAtMs ? Math.min(dueAtMs, lastAtMs) : dueAtMs, tries };
}

/** How many tries fit into a time, including the one at its end. */
function triesWithin(ms: number, pausesMs: readonly number[]): number {
  let count = 0;
  for (let atMs = 0; atMs < ms; count += 1) atMs += pausesMs[count] ?? pausesMs.at(-1) ?? ms;
  return count;
}
