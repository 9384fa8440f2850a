import { brandName } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { escapeInvisible } from '../../brand/profile/visible.ts';
import { receivedText } from '../../tools/action.ts';
import { EXTRA_PREFIX, type Submission } from '../../tools/deliver.ts';
import { mailAddress } from '../../tools/fields.ts';
import { actionOf } from '../../tools/index.ts';
import type { Messages } from '../../tools/words/es.ts';
import { messagesOf, wordFor } from '../../tools/words/language.ts';
import { readMailboxes } from '../config/mail-address.ts';
import { type Mail, singleLine } from './mailer.ts';

/** The operator's settings of mail, which are trusted. */
export interface MailSettings {
  /** Sender of every mail, at the operator's domain: `Acme <hola@mg.acme.example>`. */
  readonly from: string;
  /** Recipients of submissions: one address, or several separated by commas. */
  readonly team: string;
  /** The profile in use, with its language, name and words. Undefined while none is loaded. */
  readonly profile: () => Profile | undefined;
}

/** A submission with its id and reference in the outbox. */
export interface MailedSubmission extends Pick<Submission, 'kind' | 'channel' | 'fields'> {
  readonly id: string;
  /** `ABCD-1234`, what everybody calls it. */
  readonly reference: string;
  /** Language of the form and of the confirmation. The team's mail is in the profile's language. */
  readonly language: string;
  readonly received_at: number;
  /** The post looks automatic. */
  readonly suspect: boolean;
}

/**
 * The mail to the team. The sender is `settings.from`; the submitter is in Reply-To only. Fields are quoted
 * and marked as unverified, for people and for assistants that read the mailbox.
 * @example await mailer.send(teamMail(record, { from, team, profile: () => profile }));
 */
export function teamMail(submission: MailedSubmission, settings: MailSettings): Mail {
  const { id, reference, kind, channel, language, received_at, fields } = submission;
  const profile = settings.profile();
  const messages = messagesOf(profile?.language);
  const action = actionOf(kind, profile);
  const subject = action.wordsIn(messages).mail;
  const words = messages.mail;
  const replyTo = mailAddress(fields.email ?? '');
  const who = fields.company === undefined ? (fields.name ?? '') : `${fields.company} (${fields.name ?? ''})`;
  const mark = submission.suspect ? `[${words.suspect}] ` : '';
  const labelled = ([name, value]: readonly [string, string]) => [
    ...labelOf(name, messages),
    quotedLines(value),
    '',
  ];
  const text = [
    subject.title,
    '',
    `${messages.reference}: ${reference}`,
    `${words.received}: ${dateTime(received_at, messages)}`,
    `${words.channel}: ${wordFor(words.channels, channel) ?? channel}`,
    `${words.language}: ${messagesOf(language).name}`,
    words.promise(action.replyHours),
    '',
    ...words.unverified,
    '',
    ...Object.entries(fields).flatMap(labelled),
  ];
  return {
    from: settings.from,
    to: settings.team,
    ...(replyTo !== undefined && { replyTo }),
    subject: singleLine(`${mark}[${subject.subject} ${reference}] ${singleLine(who)}`),
    text: text.join('\n'),
    // No Auto-Submitted: help desks drop or suspend mail that has it.
    headers: {},
    messageId: messageId(id, 'team', settings),
  };
}

/**
 * The confirmation: a fixed text without anything from the form, which could otherwise mail anybody's words
 * to strangers. Undefined if the address is not a plain one.
 */
export function confirmationMail(submission: MailedSubmission, settings: MailSettings): Mail | undefined {
  const { id, reference, kind, language, fields } = submission;
  const messages = messagesOf(language);
  const profile = settings.profile();
  const action = actionOf(kind, profile);
  const words = messages.mail.confirmation;
  const to = mailAddress(fields.email ?? '');
  if (to === undefined) return undefined;
  const text = [
    words.greeting,
    '',
    receivedText(messages, action),
    `${messages.reference}: ${reference}`,
    '',
    words.automatic,
    '',
    singleLine(profile ? brandName(profile) : senderAddress(settings)),
    '',
  ];
  return {
    from: settings.from,
    to,
    replyTo: settings.team,
    subject: singleLine(`${action.wordsIn(messages).received} (${reference})`),
    text: text.join('\n'),
    // With this header no vacation notice answers, so no loop starts (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    messageId: messageId(id, 'confirm', settings),
  };
}

/** `5 de enero de 2026, 09:00 UTC` */
function dateTime(timeMs: number, { locale }: Messages): string {
  const date = new Date(timeMs);
  const day = date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** The lines above a value. A field that our forms do not have was named by the sender, so it is quoted. */
function labelOf(name: string, { fields, mail }: Messages): string[] {
  if (name.startsWith(EXTRA_PREFIX))
    return [`${mail.unknownField}:`, quotedLines(name.slice(EXTRA_PREFIX.length))];
  return [`${wordFor(fields, name) ?? name}:`];
}

/** Quotes each line with `> `, so that a person's text cannot look like another part of the mail. */
export function quotedLines(value: string): string {
  const lines = value.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n');
  return lines.map(line => `> ${escapeInvisible(line)}`.trimEnd()).join('\n');
}

const senderAddress = ({ from }: MailSettings) => readMailboxes(from)?.[0]?.address ?? '';

/** The same id for every try, so that mail programs show a repeated mail once. */
function messageId(id: string, part: 'team' | 'confirm', settings: MailSettings): string {
  const [, domain = 'localhost'] = senderAddress(settings).split('@');
  return `<${id}.${part}@${domain.toLowerCase()}>`;
}
