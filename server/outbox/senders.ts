import type { Log } from '../config/log.ts';
import { type Clock, inTime } from '../config/timing.ts';
import { mailFix } from '../mail/mail-fix.ts';
import { codesIn, type Mail, MailError, type MailErrorKind, type Mailer } from '../mail/mailer.ts';
import { confirmationMail, type MailedSubmission, type MailSettings, teamMail } from '../mail/message.ts';
import { submissionEvent, WebhookError, type WebhookSender } from '../webhook/webhook.ts';
import type { DatabaseState } from './background.ts';
import { makeAllDue, type Store } from './deliveries.ts';
import type { Breaker, Schedule } from './schedule.ts';
import type { Part, Stored } from './stored-submission.ts';

export interface OutboxParts {
  readonly mailer: Mailer;
  readonly mail: MailSettings;
  /** The webhook, if there is one. */
  readonly webhook: WebhookSender | undefined;
  readonly store: Store;
  readonly breaker: Breaker;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
  /** Binds the store to the profile. @throws DatabaseRefused if it belongs to another */
  readonly open: () => Promise<void>;
  readonly databaseState: DatabaseState;
  /** Begins a round for a part after so many milliseconds. */
  readonly wake: (part: Part, ms: number) => void;
  /** Aborted when the outbox closes: no further retries. */
  readonly closing: AbortSignal;
}

/** Why a delivery failed: a `MailError` or a `WebhookError`. */
export interface Failure {
  readonly kind: MailErrorKind;
  readonly code: string;
  readonly reply?: string | undefined;
  /** The mail server is down, for every mail. */
  readonly isDown?: boolean;
}

/** The parts that are mails. */
export const MAILS = ['team', 'confirm'] as const;

/** A submission whose fields are not erased. */
type Deliverable = Stored & MailedSubmission;

type Send = (parts: OutboxParts, record: Deliverable, stopping: AbortSignal) => Promise<string | undefined>;

/**
 * How each part is sent. Due time, lease and retries are the same for all parts. A sender logs its result.
 * @returns the reply of the other side @throws MailError or WebhookError
 */
export const SENDERS: Readonly<Record<Part, Send>> = {
  team: (parts, record) => sendMail(parts, record, 'team', teamMail(record, parts.mail)),
  confirm: (parts, record) => sendMail(parts, record, 'confirm', confirmationMail(record, parts.mail)),
  async webhook({ webhook, log }, record, stopping) {
    const { reference } = record;
    try {
      if (!webhook) throw new WebhookError('not-configured');
      await webhook.send(submissionEvent(record), stopping);
    } catch (error) {
      log('warn', 'webhook', { reference, outcome: 'failed', code: failureOf(error).code });
      throw error;
    }
    log('info', 'webhook', { reference, outcome: 'delivered' });
    return undefined;
  },
};

/** The failure of an error from a sender. */
export const failureOf = (error: unknown): Failure =>
  error instanceof MailError || error instanceof WebhookError ? error : UNFORESEEN;

const UNFORESEEN: Failure = { kind: 'ambiguous', code: 'unforeseen' };

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
    await noteMailAnswered(parts);
    return sent.reply;
  } catch (error) {
    const failure = failureOf(error);
    log('warn', 'mail', { ...line, ...loggedFailure(failure) });
    if (!failure.isDown) await noteMailAnswered(parts);
    else if (breaker.failed()) log('error', 'mail is down', { fix: mailFix(failure.code), alarm: true });
    throw error;
  }
}

/** Added to the time-outs of mailers. It stops one whose answer comes in small pieces. */
const GRACE_MS = 500;

const loggedFailure = ({ kind, code, reply }: Failure) => ({ outcome: kind, code, reply: codesIn(reply) });

/**
 * Notes that the mail server answered, if only with a refusal. If mail was down, waiting mails are due now.
 */
async function noteMailAnswered({ store, breaker, clock, log, wake }: OutboxParts): Promise<void> {
  if (!breaker.succeeded()) return;
  log('info', 'mail is back', { alarm: true });
  const nowMs = clock.now();
  await makeAllDue(store, MAILS, { nowMs, plannedBeforeMs: nowMs + 1 }).catch(() => {});
  wake('team', 0);
}
