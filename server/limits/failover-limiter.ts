import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import type { RateLimiter, Verdict } from './rate-limiter.ts';

interface FailoverParts {
  /** Counts for all instances, and may fail. */
  readonly shared: RateLimiter;
  /** Decides while the shared limiter fails. It must not fail itself. */
  readonly fallback: RateLimiter;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
  /** What the fallback does, in words for the operator. */
  readonly effect: string;
  /** Why the shared limiter is away from the start. */
  readonly fault?: string | undefined;
  readonly log: Log;
}

interface FailoverLimiter extends RateLimiter {
  /** Asks the shared limiter now, because it may be back: an idle server would say so with its next request only. */
  readonly look: () => Promise<unknown>;
}

/** After this many failures in a row the shared limiter rests for this long: a frozen one would cost each request its time limit. */
const FAILURES = 3;
const PAUSE_MS = 5000;

/** Asks the shared limiter, and the fallback for every request that it fails. Logs when that begins and when it ends. */
export function createFailoverLimiter(parts: FailoverParts): FailoverLimiter {
  const { shared, fallback, monotonicMs, effect, fault, log } = parts;
  let failures = fault === undefined ? 0 : FAILURES;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let foreignKeyAt = Number.NEGATIVE_INFINITY;

  const tellAlone = (cause: string) => log('warn', 'limits', { shared: false, cause, effect, alarm: true });
  if (fault !== undefined) tellAlone(fault);

  function failed(error: unknown): void {
    failures += 1;
    pausedUntil = failures >= FAILURES ? monotonicMs() + PAUSE_MS : pausedUntil;
    if (failures === FAILURES) tellAlone(messageOf(error));
  }

  /** A key holds foreign data. Count its client here; other clients are not affected. */
  function foundForeignKey(error: unknown): void {
    if (monotonicMs() - foreignKeyAt < PAUSE_MS) return;
    foreignKeyAt = monotonicMs();
    log('warn', 'limits', {
      cause: messageOf(error),
      fix: 'give the limits a Redis database of their own',
      alarm: true,
    });
  }

  function succeeded(): void {
    if (failures >= FAILURES) log('info', 'limits', { shared: true });
    failures = 0;
  }

  const hit: RateLimiter['hit'] = async (client, buckets, slots) => {
    if (monotonicMs() < pausedUntil) return fallback.hit(client, buckets, slots);
    // After a pause one request tries for all: the others would wait with it.
    if (failures >= FAILURES) pausedUntil = monotonicMs() + PAUSE_MS;
    try {
      const verdict = await shared.hit(client, buckets, slots);
      succeeded();
      if (!verdict.ok || slots === 0) return verdict;
      // One by one: the fallback's part of one limit may be full when that of another is not.
      return alsoTaken(
        verdict,
        buckets.map(bucket => fallback.hit(client, [bucket], slots)),
      );
    } catch (error) {
      if (/WRONGTYPE/.test(messageOf(error))) foundForeignKey(error);
      else failed(error);
      return fallback.hit(client, buckets, slots);
    }
  };
  return {
    hit,
    look() {
      pausedUntil = Number.NEGATIVE_INFINITY;
      return hit('', ['status'], 0);
    },
  };
}

/** The fallback counts accepted requests too, so that it goes on from there when the shared limiter fails. */
function alsoTaken(verdict: Verdict, fallbacks: readonly Promise<Verdict>[]): Verdict {
  const giveBack = async () => {
    for (const taken of [verdict, ...(await Promise.all(fallbacks))]) await taken.giveBack();
  };
  return { ...verdict, giveBack };
}
