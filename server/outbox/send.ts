import { codeOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';
import { codesIn, type Mail, MailError, type MailErrorKind, type Mailer } from '../mail/mailer.ts';
import { confirmationMail, type Letter, type MailSettings, teamMail } from '../mail/message.ts';
import { submissionEvent, WebhookError, type WebhookSender } from '../webhook/webhook.ts';
import { type Clock, inTime, sleep } from './clock.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, makeAllDue, markDelivered, plan } from './deliveries.ts';
import type { Receiving } from './receive.ts';
import { type Breaker, inlinePause, nextTry, type Schedule } from './schedule.ts';
import type { Part, Stored } from './stored-submission.ts';

export interface OutboxParts {
  readonly mailer: Mailer;
  readonly mail: MailSettings;
  /** Where each submission goes beside the mail. */
  readonly webhook: WebhookSender | undefined;
  readonly store: Receiving;
  readonly breaker: Breaker;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
  /** Looks after so many milliseconds for what of this part is due then. */
  readonly lookIn: (part: Part, ms: number) => void;
  /** Aborted when the outbox closes: no further retries. */
  readonly closing: AbortSignal;
}

/** Why something was not delivered: a `MailError`, or what a webhook's failure means in its words. */
export interface Failure {
  readonly kind: MailErrorKind;
  readonly code: string;
  readonly reply?: string | undefined;
  /** The mail server is down, for every mail. */
  readonly isDown?: boolean;
}

/** The parts that are mails. */
export const MAILS = ['team', 'confirm'] as const;

/** A submission whose fields are there. */
type Deliverable = Stored & Letter;

type Send = (parts: OutboxParts, record: Deliverable, stopping: AbortSignal) => Promise<string | undefined>;

/**
 * How each part is sent. All else is the same for all: when it is due, who holds it, when it is tried again.
 * A sender logs what came of it.
 * @returns what the other side said @throws MailError or WebhookError
 */
const SENDERS: Readonly<Record<Part, Send>> = {
  team: (parts, record) => sendMail(parts, record, 'team', teamMail(record, parts.mail)),
  confirm: (parts, record) => sendMail(parts, record, 'confirm', confirmationMail(record, parts.mail)),
  async webhook({ webhook, log }, record, stopping) {
    const { reference } = record;
    try {
      await webhook?.send(submissionEvent(record), stopping);
    } catch (error) {
      log('warn', 'webhook', { reference, outcome: 'failed', code: failureOf(error).code });
      throw error;
    }
    log('info', 'webhook', { reference, outcome: 'delivered' });
    return undefined;
  },
};

/**
 * Sends the team's mail of a submission that this process has leased, while a request waits: with retries
 * inside the budget.
 * @returns what went wrong last
 */
export async function sendInTime(parts: OutboxParts, record: Stored): Promise<Failure | undefined> {
  const { breaker, schedule, clock, closing } = parts;
  const endsAtMs = clock.monotonic() + schedule.inlineBudgetMs;
  const failures: Failure[] = [];
  if (breaker.waitMs() > 0) return NOT_TRIED;
  while (!closing.aborted) {
    const failure = await sendOnce(parts, record, 'team', closing);
    if (!failure) return undefined;
    failures.push(failure);
    const pauseMs = inlinePause(failures, schedule, clock.random);
    if (pauseMs === undefined || clock.monotonic() + pauseMs + schedule.attemptTimeoutMs > endsAtMs) break;
    await sleep(clock, pauseMs, closing);
  }
  return failures.at(-1) ?? NOT_TRIED;
}

const NOT_TRIED: Failure = { kind: 'temporary', code: 'not-tried' };

/** One try of a leased delivery; records it where it arrived. @returns what went wrong */
export async function sendOnce(
  parts: OutboxParts,
  record: Stored,
  part: Part,
  stopping: AbortSignal,
): Promise<Failure | undefined> {
  const { reference, fields } = record;
  // Another program has written what stands there: it keeps no other from its mail.
  if (fields === null) return { kind: 'permanent', code: 'unreadable' };
  let reply: string | undefined;
  try {
    reply = await SENDERS[part](parts, { ...record, fields }, stopping);
  } catch (error) {
    return failureOf(error);
  }
  // If this is not recorded, it is sent again under the same id. No submission gets lost.
  await noteDelivered(parts, record, part, reply ?? null).catch(cause =>
    parts.log('error', 'outcome not noted', { reference, alarm: true, cause: codeOf(cause) }),
  );
  return undefined;
}

function failureOf(error: unknown): Failure {
  if (error instanceof MailError) return error;
  const code = error instanceof WebhookError ? error.code : 'unforeseen';
  // 410 Gone: the receiver wants no more of it.
  return { kind: code === 'http-410' ? 'permanent' : 'ambiguous', code };
}

async function sendMail(
  parts: OutboxParts,
  { reference, kind }: Stored,
  part: Part,
  mail: Mail | undefined,
): Promise<string | undefined> {
  const { mailer, schedule, clock, log, breaker } = parts;
  if (!mail) throw new MailError('permanent', 'nothing-to-send');
  const line = { reference, kind, part };
  try {
    const sent = await inTime(clock, schedule.attemptTimeoutMs + GRACE_MS, mailer.send(mail));
    if (!sent) throw new MailError('ambiguous', 'deadline');
    for (const { place, reason } of sent.refused ?? []) {
      const recipient = `${place} in MAIL_TO`;
      log('warn', 'mail', { ...line, recipient, ...loggedFailure(reason), alarm: true });
    }
    log('info', 'mail', { ...line, outcome: 'accepted', reply: codesIn(sent.reply) });
    await noteHeard(parts);
    return sent.reply ?? sent.id;
  } catch (error) {
    const failure = failureOf(error);
    log('warn', 'mail', { ...line, ...loggedFailure(failure) });
    if (!failure.isDown) await noteHeard(parts);
    else if (breaker.failed()) log('error', 'mail is down', { alarm: true });
    throw error;
  }
}

/** Mailers have their own time-outs. This one stops a mailer whose answer trickles in. */
const GRACE_MS = 500;

const loggedFailure = ({ kind, code, reply }: Failure) => ({ outcome: kind, code, reply: codesIn(reply) });

/** The mail server listens, even where it refuses one mail. If it was down, what waited for it is due now. */
async function noteHeard({ store, breaker, clock, log, lookIn }: OutboxParts): Promise<void> {
  if (!breaker.succeeded()) return;
  log('info', 'mail is back', { alarm: true });
  const nowMs = clock.now();
  await makeAllDue(store, MAILS, { nowMs, plannedBeforeMs: nowMs + 1 }).catch(() => {});
  lookIn('team', 0);
}

/** Once the team has its mail, the confirmation is due: now, later, or never. */
async function noteDelivered(
  { store, mail, log, clock }: OutboxParts,
  record: Stored,
  part: Part,
  reply: string | null,
): Promise<void> {
  const { database } = store;
  const nowMs = clock.now();
  if (part !== 'team') {
    await markDelivered(database.query, record.id, part, { reply, nowMs });
    return;
  }
  await database.exclusively(['confirmations'], async query => {
    const wasOwed = await markDelivered(query, record.id, part, { reply, nowMs });
    if (!wasOwed || record.confirmation !== 'pending') return;
    await admitConfirmation(query, record, { ...store, mail, log, nowMs });
  });
}

/**
 * Plans the next try of what failed. The team's mail is owed until it arrives; a confirmation and an event
 * are given up after 48 hours, or where they are refused for good.
 */
export async function planNext(
  parts: OutboxParts,
  record: Stored,
  { part, tries: triesBefore, note: noteBefore }: Pick<Delivery, 'part' | 'tries' | 'note'>,
  failure: Failure,
): Promise<void> {
  const { store, schedule, clock, log, lookIn } = parts;
  const { id, reference, kind: action, received_at: receivedAtMs } = record;
  const { kind, code, reply } = failure;
  const tries = triesBefore + 1;
  const nowMs = clock.now();
  const reason = `${kind} ${code}`;
  const nextMs = nextTry({ receivedAtMs, tries, nowMs }, schedule);
  const isOver = part !== 'team' && (nextMs === null || kind === 'permanent');
  if (part === 'team') {
    const needsOperator = kind === 'configuration' || kind === 'permanent';
    // An alarm at once, and once: later tries that fail alike are lines of the log.
    const alarm = needsOperator && noteBefore !== reason && { alarm: true };
    const line = { reference, kind: action, tries, outcome: kind, code, ...alarm };
    log(needsOperator ? 'error' : 'warn', 'mail failed', line);
  }
  if (isOver && part === 'confirm') log('warn', 'confirmation given up', { reference, outcome: kind, code });
  if (isOver && part === 'webhook') log('error', 'webhook given up', { reference, code, alarm: true });
  const dueAtMs = isOver ? null : nextMs;
  await plan(
    store.database.query,
    { submission: id, part },
    {
      state: isOver ? 'failed' : 'pending',
      tries,
      dueAtMs,
      note: reason,
      reply: reply ?? null,
      leaseholder: store.leaseholder,
      nowMs,
    },
  );
  if (dueAtMs !== null) lookIn(part, dueAtMs - nowMs);
}
