import { setTimeout } from 'node:timers/promises';
import type { SmtpHost } from '../../test/support/smtp-server.ts';
import { counted } from '../../test/support/support.ts';
import { KEPT_HINT } from '../../tools/deliver.ts';
import { POLICIES, type PolicyName } from '../../tools/policies.ts';
import { groupedBy } from '../figures.ts';
import type { Visit } from '../load/crowd.ts';
import { TEAM } from './deployment.ts';

/** A submission, in the words of its answer; `unanswered` promised nothing. */
type Outcome = 'delivered' | 'kept' | 'not kept' | 'refused' | 'unanswered';

type Noted = Omit<Visit, 'ms'> & { readonly client?: string };

/** What each step is counted under. */
const POLICIES_OF: Readonly<Record<string, readonly PolicyName[]>> = {
  '/ask': ['default'],
  forms: ['submissions'],
  actions: ['actions', 'actions-service'],
};

/** Keeps what clients were promised and what they got, beside the mail that came of it. */
export function startLedger(mails: SmtpHost['mails']) {
  const outcomes = new Map<number, Outcome>();
  /** When a client was let through. */
  const accepted: { readonly policy: PolicyName; readonly client: string; readonly atMs: number }[] = [];

  const acknowledged = () =>
    [...outcomes].filter(([, outcome]) => outcome === 'delivered' || outcome === 'kept').map(([n]) => n);
  const missing = () => {
    const delivered = new Set(numbersIn(mails));
    return acknowledged().filter(n => !delivered.has(n)).length;
  };

  return {
    /** @param noted.client of those who want more than they may have */
    note({ step, n, status, text, client }: Noted): void {
      const isSubmission = step === 'forms' || step === 'actions';
      const outcome = isSubmission ? outcomeOf(status, text) : undefined;
      if (outcome !== undefined) outcomes.set(n, outcome);
      if (
        client === undefined ||
        (isSubmission ? !['delivered', 'kept'].includes(outcome ?? '') : status !== 200)
      )
        return;
      for (const policy of POLICIES_OF[step] ?? [])
        accepted.push({
          policy,
          client: POLICIES[policy].scope === 'service' ? '' : client,
          atMs: performance.now(),
        });
    },

    outcomes: () => counted(outcomes.values()),

    /** Waits, at most two minutes, until all that was acknowledged is delivered. */
    async settle() {
      for (const endMs = performance.now() + 120_000; missing() > 0 && performance.now() < endMs; )
        await setTimeout(500);
      const numbers = numbersIn(mails);
      const unpromised = new Set(numbers.filter(n => outcomes.get(n) === 'not kept')).size;
      return {
        acknowledged: acknowledged().length,
        lost: missing(),
        mailedTwice: numbers.length - new Set(numbers).size,
        mailedThoughNotKept: unpromised,
      };
    },

    /** The most that one client got in any window, by policy. */
    limits() {
      return [...groupedBy(accepted, ({ policy }) => policy)].map(([policy, taken]) => {
        const { quota, windowSeconds } = POLICIES[policy];
        const times = [...groupedBy(taken, ({ client }) => client).values()].map(own =>
          own.map(({ atMs }) => atMs),
        );
        const reached = Math.max(...times.map(own => mostWithin(own, windowSeconds * 1000)));
        return { policy, quota, windowSeconds, reached };
      });
    },
  };
}

function outcomeOf(status: number, text: string): Outcome {
  if (status === 429) return 'refused';
  if (!text.startsWith('{')) return 'unanswered';
  if (status === 200 && !text.includes('"isError":true')) return 'delivered';
  if (!text.includes('delivery_failed')) return 'unanswered';
  return text.includes(KEPT_HINT) ? 'kept' : 'not kept';
}

/** What the crowd wrote into its requests, in each mail to the team. Long lines are folded (RFC 2045, 6.7). */
function numbersIn(mails: SmtpHost['mails']): number[] {
  return mails
    .filter(({ to }) => to === TEAM)
    .map(({ source }) => Number(/as number (\d+)/.exec(source.replaceAll('=\r\n', ''))?.[1]));
}

/** @param times in ascending order, milliseconds */
function mostWithin(times: readonly number[], windowMs: number): number {
  let [first, most] = [0, 0];
  times.forEach((time, index) => {
    while ((times[first] ?? time) <= time - windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
