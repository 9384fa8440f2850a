import { createTransport } from 'nodemailer';
import * as z from 'zod';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { kindOfSocketError, type Mail, MailError, type MailErrorKind, type Mailer, replyOf } from './mailer.ts';

export interface SmtpSettings {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  readonly url: string;
  /** The password may go over the network in clear. */
  readonly plain: boolean;
  readonly timeoutMs: number;
}

/** Any SMTP server, one connection a mail: a pool would keep idle connections that servers cut at their will. */
export function createSmtpMailer({ url, plain, timeoutMs }: SmtpSettings): Mailer {
  const { password, host } = new URL(url);
  const options = {
    url,
    // Without this, nodemailer sends the password in clear to a server that offers no STARTTLS.
    requireTLS: password !== '' && !plain && !isLoopback(host),
    connectionTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    name: 'smtp',
    async send(mail) {
      let isLoggedIn = false;
      const transport = createTransport(options).use('stream', ({ message }, done) => {
        // nodemailer asks for the message once it has logged in.
        message.processFunc(stream => {
          isLoggedIn = true;
          return stream;
        });
        done();
      });
      const sent = await transport
        .sendMail({ ...mailOptions(mail), signal: AbortSignal.timeout(timeoutMs) })
        .catch(error => {
          throw mailErrorOf(error, isLoggedIn);
        });
      const recipients = [sent.envelope.to].flat();
      const refused = sent.rejected.map((address, at) => ({
        place: `address ${recipients.indexOf(address) + 1} of ${recipients.length}`,
        reason: mailErrorOf(sent.rejectedErrors?.[at], true),
      }));
      return { id: sent.messageId, reply: replyOf(sent.response), refused };
    },
    async verify() {
      await createTransport(options)
        .verify()
        .catch(error => {
          throw mailErrorOf(error, false);
        });
    },
  };
}

/** Mail in nodemailer's words; the file mailer writes with it too. */
export function mailOptions({ from, to, replyTo, subject, text, headers, messageId }: Mail) {
  return { from, to, subject, text, messageId, headers: { ...headers }, ...(replyTo !== undefined && { replyTo }) };
}

const SmtpError = z.object({
  code: z.string().catch(''),
  /** The system's own code behind ESOCKET and EDNS. */
  originalCode: z.string().optional().catch(undefined),
  /** What was answered with the error: `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
});

function mailErrorOf(error: unknown, isLoggedIn: boolean): MailError {
  const { code, originalCode, command, responseCode, response } = SmtpError.catch({ code: '' }).parse(error);
  const isDown = !isLoggedIn || command === 'MAIL FROM';
  // The server offers no TLS, or refuses to begin it: said alike, whatever number it answers.
  if (code === 'ETLS') return new MailError('configuration', code, response, isDown);
  if (responseCode !== undefined)
    return new MailError(kindOfReply(responseCode, code), `smtp-${responseCode}`, response, isDown);
  const cause = originalCode ?? code;
  return new MailError(kindOfSocketError(cause) ?? KINDS[code] ?? 'ambiguous', cause || 'unknown', undefined, isDown);
}

/** RFC 5321, 4.2.1: 4yz may work later, 5yz will not. A refused login (AUTH) or TLS concerns every mail, not this one. */
function kindOfReply(responseCode: number, code: string): MailErrorKind {
  if (responseCode < 500) return 'temporary';
  return KINDS[code] === 'configuration' ? 'configuration' : 'permanent';
}

/** By nodemailer's codes; ECONNECTION, ESOCKET, ETIMEDOUT, EABORT can mean "after the last line of the mail". */
const KINDS: Readonly<Record<string, MailErrorKind>> = {
  EDNS: 'temporary',
  EAUTH: 'configuration',
  ENOAUTH: 'configuration',
  EOAUTH2: 'configuration',
  ECONFIG: 'configuration',
  ETLS: 'configuration',
  EENVELOPE: 'permanent',
  EMESSAGE: 'permanent',
};
