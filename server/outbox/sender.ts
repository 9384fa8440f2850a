import { codeOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import { type Accepted, codesIn, MailError, type Mailer } from '../mail/mailer.ts';
import { confirmationMail, type MailSettings, teamMail } from '../mail/message.ts';
import { type Clock, inTime, sleep } from './clock.ts';
import { skipReason, tellHeldBack } from './confirmation.ts';
import type { DatabaseState } from './delivery.ts';
import { type Breaker, inlinePause, type Schedule } from './schedule.ts';
import { type Attempt, makeAllDue, noteAttempt, noteConfirmed, noteDelivered } from './sending.ts';
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
  readonly databaseState: DatabaseState;
  /** Looks after so many milliseconds for what is due then. */
  readonly lookIn: (ms: number) => void;
  /** Looks for webhooks that are due now. */
  readonly lookForWebhooks: () => void;
  /** Aborted when the outbox closes: no further retries. */
  readonly closing: AbortSignal;
}

/**
 * Sends the team's mail of a submission that this process has leased, while a request waits: with retries
 * inside the budget.
 * @returns what went wrong last
 */
export async function sendInTime(parts: OutboxParts, record: Stored): Promise<MailError | undefined> {
  const { breaker, schedule, clock, closing } = parts;
  const endsAtMs = clock.monotonic() + schedule.inlineBudgetMs;
  const failures: MailError[] = [];
  if (breaker.waitMs() > 0) return new MailError('temporary', 'not-tried');
  while (!closing.aborted) {
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
export async function sendOnce(
  parts: OutboxParts,
  record: Stored,
  part: Part,
): Promise<MailError | undefined> {
  const { store, breaker, schedule, clock, log } = parts;
  const sent = inTime(clock, schedule.attemptTimeoutMs + GRACE_MS, post(parts, record, part));
  const result = (await sent.catch(asMailError)) ?? new MailError('ambiguous', 'deadline');
  const nowMs = clock.now();
  const { id, reference } = record;
  const hasFailed = result instanceof MailError;
  const isDown = hasFailed && result.isDown;
  tell(log, { reference, kind: record.kind, part }, result);
  // The server listens, even where it refuses this one mail.
  const isHeard = !isDown && !isUnreadable(record);
  if (isDown && breaker.failed()) log('error', 'mail is down', { alarm: true });
  // Before a failure is noted, and its next try planned: what waited is made due by this.
  if (hasFailed && isHeard) await noteHeard(parts);
  const noted: Promise<unknown> = hasFailed
    ? noteAttempt(store.database.query, id, { part, nowMs, failure: result })
    : noteAccepted(parts, record, { ...result, part, nowMs });
  // If the outcome is not recorded, the mail is sent again with the same Message-Id. No submission gets lost.
  await noted.catch(cause =>
    log('error', 'outcome not noted', { reference, alarm: true, cause: codeOf(cause) }),
  );
  if (!hasFailed && isHeard) await noteHeard(parts);
  return hasFailed ? result : undefined;
}

/** The mail server has answered. If mail was down, what waited for it is due now. */
async function noteHeard({ store, breaker, clock, log, lookIn }: OutboxParts): Promise<void> {
  if (!breaker.succeeded()) return;
  log('info', 'mail is back', { alarm: true });
  await makeAllDue(store, clock.now(), clock.now() + 1).catch(() => {});
  lookIn(0);
}

function tell(
  log: Log,
  line: Pick<Stored, 'reference' | 'kind'> & { part: Part },
  result: Accepted | MailError,
) {
  const outcomeOf = ({ kind, code, reply }: MailError) => ({ outcome: kind, code, reply: codesIn(reply) });
  if (result instanceof MailError) return log('warn', 'mail', { ...line, ...outcomeOf(result) });
  for (const { place, reason } of result.refused ?? []) {
    log('warn', 'mail', { ...line, recipient: `${place} in MAIL_TO`, ...outcomeOf(reason), alarm: true });
  }
  log('info', 'mail', { ...line, outcome: 'accepted', reply: codesIn(result.reply) });
}

async function post(
  { mailer, mail }: OutboxParts,
  { fields, ...record }: Stored,
  part: Part,
): Promise<Accepted> {
  if (isUnreadable({ fields, ...record })) throw new MailError('permanent', 'unreadable');
  const compose = part === 'team' ? teamMail : confirmationMail;
  const written = fields && compose({ ...record, fields }, mail);
  if (!written) throw new MailError('permanent', 'nothing-to-send');
  return mailer.send(written);
}

async function noteAccepted({ store, mail, log }: OutboxParts, record: Stored, accepted: Accepted & Attempt) {
  const { id, reference, kind } = record;
  if (accepted.part === 'confirm') return noteConfirmed(store, id, accepted);
  const heldBackReason = await noteDelivered(store, id, { ...accepted, skip: skipReason(record, mail) });
  if (heldBackReason) tellHeldBack(log, { reference, kind }, heldBackReason);
}

/** Mailers have their own time-outs. This one stops a mailer whose answer trickles in. */
const GRACE_MS = 500;

const asMailError = (error: unknown) =>
  error instanceof MailError ? error : new MailError('ambiguous', 'unforeseen');
