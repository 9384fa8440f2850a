import { type Mail, MailError, type Mailer } from '../mail/mailer.ts';
import { confirmationMail, type MailSettings, teamMail } from '../mail/message.ts';
import type { Breaker } from './breaker.ts';
import { type Clock, sleep } from './clock.ts';
import type { Entry } from './entry.ts';
import type { Ledger } from './ledger.ts';
import type { OutboxRecord, Part } from './record.ts';
import { inlinePause, type Schedule } from './schedule.ts';

/** Sends the mails of submissions and notes in the ledger what came of it. */
export interface Courier {
  /** One send. @returns what went wrong */
  sendOnce(entry: Entry, part: Part): Promise<MailError | undefined>;
  /** Sends the team's mail while a request waits, with retries inside the budget. @returns what went wrong last */
  sendInTime(entry: Entry): Promise<MailError | undefined>;
}

interface CourierParts {
  readonly mailer: Mailer;
  readonly mail: MailSettings;
  readonly ledger: Ledger;
  readonly breaker: Breaker;
  readonly schedule: Schedule;
  readonly clock: Clock;
  /** Aborted when the outbox closes: no further retries. */
  readonly closing: AbortSignal;
  /** Called when the team has a submission and its confirmation is due. */
  readonly onTeamAccepted: (entry: Entry) => Promise<void>;
  /** Called when mail went down (false), and when it works again (true). */
  readonly onMail: (isBack: boolean) => void;
}

export function createCourier(parts: CourierParts): Courier {
  const { mailer, mail, ledger, breaker, schedule, clock, closing } = parts;

  const sendOnce = async (entry: Entry, part: Part): Promise<MailError | undefined> => {
    const result = await deadline(post(entry, part), clock, schedule.attemptTimeoutMs + GRACE_MS).catch(asMailError);
    const about = { id: entry.id, part, atMs: clock.now() };
    if (result instanceof MailError) {
      if (result.kind !== 'permanent' && breaker.failed()) parts.onMail(false);
      const n = entry.failures[part] + 1;
      await ledger.note({ record: 'attempt', ...about, n, outcome: result.kind, code: result.code });
      return result;
    }
    const cameBack = breaker.succeeded();
    await ledger.note({ record: 'accepted', ...about, mailId: result.id }, ...finish(entry, about));
    if (part === 'team' && entry.confirmation === 'due') await parts.onTeamAccepted(entry);
    if (cameBack) parts.onMail(true);
    return undefined;
  };

  const post = async (entry: Entry, part: Part): Promise<{ readonly id: string }> => {
    const written = compose(entry, part, mail);
    if (!written) throw new MailError('permanent', 'nothing-to-send');
    return mailer.send(written);
  };

  return {
    sendOnce,
    async sendInTime(entry) {
      const endsAtMs = clock.now() + schedule.inlineBudgetMs;
      const failures: MailError[] = [];
      while (!closing.aborted && breaker.claim(clock.now())) {
        const failure = await sendOnce(entry, 'team');
        if (!failure) return undefined;
        failures.push(failure);
        const pauseMs = inlinePause(failures, schedule, clock.random);
        if (pauseMs === undefined || clock.now() + pauseMs + schedule.attemptTimeoutMs > endsAtMs) break;
        await sleep(clock, pauseMs, closing);
      }
      return failures.at(-1) ?? new MailError('temporary', 'not-tried');
    },
  };
}

/** A mailer keeps its own time; this one is for the mailer that does not (an answer that trickles in). */
const GRACE_MS = 500;

function deadline<Value>(work: Promise<Value>, clock: Clock, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(() => reject(new MailError('ambiguous', 'deadline')), ms);
    work.finally(cancel).then(resolve, reject);
  });
}

function asMailError(error: unknown): MailError {
  return error instanceof MailError ? error : new MailError('ambiguous', 'unforeseen');
}

function compose(entry: Entry, part: Part, mail: MailSettings): Mail | undefined {
  const { fields } = entry;
  if (!fields) return undefined;
  return part === 'team' ? teamMail({ ...entry, fields }, mail) : confirmationMail({ ...entry, fields }, mail);
}

/** The note that nothing is left to send, where that is so. */
function finish({ confirmation }: Entry, { id, part, atMs }: { id: string; part: Part; atMs: number }): OutboxRecord[] {
  if (part === 'confirm') return [{ record: 'done', id, atMs, confirmation: 'sent' }];
  return confirmation === 'none' ? [{ record: 'done', id, atMs, confirmation }] : [];
}
