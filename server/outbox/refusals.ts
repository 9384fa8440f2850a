import type { Submission } from '../../tools/deliver.ts';
import type { Policies, SubmissionLimits } from '../../tools/policies.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { limitLock } from './hourly-limits.ts';

/**
 * A refusal stands for so long, so that a client which repeats does not ask the database each time.
 * Milliseconds.
 */
const REFUSAL_STANDS_MS = 1000;

/** Refusals remembered at once. */
const MOST_REFUSALS = 10_000;

interface Refusal {
  readonly limits: SubmissionLimits;
  readonly fromMs: number;
  readonly untilMs: number;
}

interface RefusalOptions {
  readonly policies: Policies;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never run backwards. */
  readonly monotonic: () => number;
}

/**
 * Refuses from memory what need not be asked again: a client over its hourly limits, and one that reuses
 * keys.
 */
export function createRefusals({ policies, now, monotonic }: RefusalOptions) {
  const refusals = new Map<string, Refusal>();
  const minute = createMinuteLimiter({ policies, monotonicMs: monotonic });
  const nameOf = (submission: Submission) => `${submission.clientHash} ${limitLock(submission)}`;
  return {
    /** The limits of a submission that is refused without asking; undefined: the database has to be asked. */
    find(submission: Submission): SubmissionLimits | undefined {
      if (submission.idempotencyKey !== undefined) {
        const state = minute.look(submission.clientHash, 'conflicts');
        return state.remaining > 0 ? undefined : { ok: false, states: [state] };
      }
      const refusal = refusals.get(nameOf(submission));
      const nowMs = now();
      if (refusal && nowMs >= refusal.fromMs && nowMs < refusal.untilMs) return refusal.limits;
      return undefined;
    },
    /** Remembers that the hourly limits refused a submission. */
    add(submission: Submission, limits: SubmissionLimits): void {
      const fromMs = now();
      const untilMs = fromMs + REFUSAL_STANDS_MS;
      if (refusals.size >= MOST_REFUSALS) refusals.clear();
      // The wait is shown in whole seconds: the last of them is counted anew each time.
      const waitsLonger = limits.states.every(
        ({ remaining, resetSeconds }) => remaining > 0 || resetSeconds > 1,
      );
      if (waitsLonger) refusals.set(nameOf(submission), { limits, fromMs, untilMs });
    },
    /** Counts the use of a key with another body: 60 a minute are answered, as questions are. */
    addConflict({ clientHash }: Submission): void {
      minute.take(clientHash, 'conflicts');
    },
  };
}
