import { encodeWord } from 'nodemailer/lib/mime-funcs';
import * as z from 'zod';
import { readMailboxes } from '../config/mail-address.ts';
import { kindOfCode, type Mail, MailError, type Mailer, replyOf } from './mailer.ts';

interface MailgunSettings {
  readonly key: string;
  /** The sending domain registered with Mailgun. */
  readonly domain: string;
  /** With scheme: `https://api.mailgun.net`, or `https://api.eu.mailgun.net` for domains of the EU region. */
  readonly url: string;
  readonly timeoutMs: number;
}

/**
 * Sends through Mailgun with mailgun.js and its default HTTP adapter. The fetch adapter cannot tell a refused
 * connection, which is safe to try again, from a broken one, after which the mail may have been sent.
 */
export function createMailgunMailer({ key, domain, url, timeoutMs }: MailgunSettings): Mailer {
  // The first mail loads it: it would cost a start 0.1 s.
  const open = async () => {
    const { default: Mailgun } = await import('mailgun.js');
    return new Mailgun(FormData).client({ username: 'api', key, url, timeout: timeoutMs }).messages;
  };
  return {
    name: 'mailgun',

    async send(mail) {
      const messages = await open();
      const answer: unknown = await messages.create(domain, messageData(mail)).catch(error => {
        throw mailErrorOf(error);
      });
      const accepted = Accepted.safeParse(answer);
      // Broken JSON and followed redirects resolve too.
      if (!accepted.success) throw new MailError('ambiguous', 'no-id');
      return { reply: replyOf(accepted.data.message) };
    },

    /** Posts a mail without sender and recipient. A good key gets 400, also one that may only send. */
    async verify() {
      const messages = await open();
      await messages.create(domain, { text: 'login check', 'o:testmode': true }).catch((error: unknown) => {
        const fault = mailErrorOf(error);
        if (fault.code !== 'http-400') throw fault;
      });
    },
  };
}

const Accepted = z.object({ id: z.string().min(1), message: z.string().catch('') });

function messageData({ from, to, replyTo, subject, text, headers, messageId }: Mail) {
  const reply = replyTo !== undefined && { 'Reply-To': inAscii(replyTo) };
  const all = { 'Message-Id': messageId, ...reply, ...headers };
  const named = Object.entries(all).map(([name, value]) => [`h:${name}`, value]);
  return {
    from: inAscii(from),
    to: inAscii(to),
    subject,
    text,
    ...Object.fromEntries(named),
    'o:tracking': false,
  };
}

/** Encodes names: Mailgun shows quotes around one with a comma and a letter beyond ASCII (django-anymail#270). */
function inAscii(list: string): string {
  if (/^[\x20-\x7e]*$/.test(list)) return list;
  const encoded = (readMailboxes(list) ?? []).map(({ name, address }) =>
    name === '' ? address : `${encodeWord(name, 'Q', 52)} <${address}>`,
  );
  return encoded.join(', ');
}

/**
 * An error of mailgun.js. A network error has status 400 and the code as message; a broken answer has 200.
 */
const ApiError = z.object({
  status: z.number().catch(0),
  message: z.string().catch(''),
  details: z.string().catch(''),
});

function mailErrorOf(error: unknown): MailError {
  const { status, message, details } = ApiError.catch({ status: 0, message: '', details: '' }).parse(error);
  const socketKind = kindOfCode(message);
  if (socketKind) return new MailError(socketKind, message, undefined, socketKind !== 'ambiguous');
  if (status < 300) return new MailError('ambiguous', 'broken-answer');
  const kind = kindOfStatus(status, details);
  // Only `configuration` concerns all mails. Any other status may be about this mail.
  return new MailError(kind, `http-${status}`, details, kind === 'configuration');
}

function kindOfStatus(status: number, details: string) {
  if (status === 401 || status === 403) return 'configuration';
  // For an unknown domain Mailgun names it; a bare 404 "can be temporal" (Mailgun's table of response codes).
  if (status === 404) return /domain/i.test(details) ? 'configuration' : 'temporary';
  if (status === 429 || status === 408 || status >= 500) return 'temporary';
  return 'permanent';
}
