import { codeOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import { type Accepted, codesIn, MailError, type Mailer } from '../mail/mailer.ts';
import { confirmationMail, type MailSettings, teamMail } from '../mail/message.ts';
import type { Breaker } from './breaker.ts';
import { type Clock, sleep } from './clock.ts';
import { skipReason, tellHeldBack } from './confirmation.ts';
import { inlinePause, type Schedule } from './schedule.ts';
import { noteAttempt, noteConfirmed, noteDelivered } from './sending.ts';
import type { Store } from './store.ts';
import { isUnreadable, type Part, type Stored } from './stored-submission.ts';

export interface OutboxParts {
  readonly mailer: Mailer;
  readonly mail: MailSettings;
  readonly store: Store;
  /** @throws DatabaseRefused where the store belongs to another profile */
  readonly open: () => Promise<void>;
  readonly breaker: Breaker;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the outbox closes: no further retries. */
  readonly closing: AbortSignal;
  /** Called when mail went down (false), and when it works again (true). */
  readonly onMail: (isBack: boolean) => void;
}

/**
 * Sends the team's mail of a submission that this process has leased, while a request waits: with retries inside the budget.
 * @returns what went wrong last
 */
export async function sendInTime(parts: OutboxParts, record: Stored): Promise<MailError | undefined> {
  const { breaker, schedule, clock, closing } = parts;
  const endsAtMs = clock.monotonic() + schedule.inlineBudgetMs;
  const failures: MailError[] = [];
  while (!closing.aborted && breaker.claim()) {
    const failure = await sendOnce(parts, record, 'team');
    if (!failure) return undefined;
    failures.push(failure);
    const pauseMs = inlinePause(failures, schedule, clock.random);
    if (pauseMs === undefined || clock.monotonic() + pauseMs + schedule.attemptTimeoutMs > endsAtMs) break;
    await sleep(clock, pauseMs, closing);
  }
  return failures.at(-1) ?? new MailError('temporary', 'not-tried');
}

/** One send of a mail of a leased submission; records the outcome. @returns what went wrong */
export async function sendOnce(parts: OutboxParts, record: Stored, part: Part): Promise<MailError | undefined> {
  const { store, breaker, schedule, clock, log, onMail } = parts;
  const timeoutMs = schedule.attemptTimeoutMs + GRACE_MS;
  const result = await deadline(post(parts, record, part), clock, timeoutMs).catch(asMailError);
  const nowMs = clock.now();
  const { id, reference, kind } = record;
  if (result instanceof MailError) {
    log('warn', 'mail', {
      reference,
      kind,
      part,
      outcome: result.kind,
      code: result.code,
      reply: codesIn(result.reply),
    });
    if (result.isDown && breaker.failed()) onMail(false);
    if (!result.isDown && !isUnreadable(record)) reached();
    await noteAttempt(store.database.query, id, { part, nowMs, failure: result }).catch(unnoted(log, reference));
    return result;
  }
  for (const { place, reason } of result.refused ?? []) {
    const recipient = `${place} in MAIL_TO`;
    const said = { outcome: reason.kind, code: reason.code, reply: codesIn(reason.reply) };
    log('warn', 'mail', { reference, kind, part, recipient, ...said, alarm: true });
  }
  log('info', 'mail', { reference, kind, part, outcome: 'accepted', reply: codesIn(result.reply) });
  await noteAccepted(parts, record, { ...result, part, nowMs }).catch(unnoted(log, reference));
  reached();
  return undefined;

  /** The server listens, even where it refuses this one mail. */
  function reached(): void {
    if (breaker.succeeded()) onMail(true);
  }
}

async function post({ mailer, mail }: OutboxParts, { fields, ...record }: Stored, part: Part): Promise<Accepted> {
  if (isUnreadable({ fields, ...record })) throw new MailError('permanent', 'unreadable');
  const compose = part === 'team' ? teamMail : confirmationMail;
  const written = fields && compose({ ...record, fields }, mail);
  if (!written) throw new MailError('permanent', 'nothing-to-send');
  return mailer.send(written);
}

async function noteAccepted(
  { store, mail, log }: OutboxParts,
  record: Stored,
  { part, ...accepted }: Accepted & { readonly part: Part; readonly nowMs: number },
): Promise<void> {
  const { id, reference, kind } = record;
  if (part === 'confirm') return noteConfirmed(store, id, accepted);
  const held = await noteDelivered(store, id, { ...accepted, skip: skipReason(record, mail) });
  if (held) tellHeldBack(log, { reference, kind }, held);
}

/** If the outcome is not recorded, the mail is sent again with the same Message-Id. No submission gets lost. */
const unnoted = (log: Log, reference: string) => (cause: unknown) =>
  log('error', 'outcome not noted', { reference, alarm: true, cause: codeOf(cause) });

/** Mailers have their own time-outs. This one stops a mailer whose answer trickles in. */
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
