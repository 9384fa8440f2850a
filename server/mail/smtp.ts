import { join } from 'node:path';
import * as z from 'zod';
import { isLoopback } from '../../brand/profile/web-address.ts';
import { makePrivateDirectory, writePrivateFile } from '../config/private-files.ts';
import { kindOfCode, MailError, type MailErrorKind, type Mailer, replyOf } from './mailer.ts';

interface SmtpSettings {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  readonly url: string;
  /** Whether the password may be sent unencrypted. */
  readonly plain: boolean;
  readonly timeoutMs: number;
}

/** The first mail loads it: it would cost a start up to 0.1 s. */
const nodemailer = () => import('nodemailer');

/**
 * Sends through an SMTP server with one connection a mail: servers cut idle connections of a pool.
 * @example
 * const mailer = createSmtpMailer({ url: 'smtp://u:p@mx.example:587', plain: false, timeoutMs: 4000 });
 */
export function createSmtpMailer({ url, plain, timeoutMs }: SmtpSettings): Mailer {
  const { password, host } = new URL(url);
  const options = {
    url,
    // Otherwise nodemailer sends the password unencrypted to a server without STARTTLS.
    requireTLS: password !== '' && !plain && !isLoopback(host),
    connectionTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    name: 'smtp',
    async send(mail) {
      const { createTransport } = await nodemailer();
      let isLoggedIn = false;
      const transport = createTransport(options);
      transport.use('stream', ({ message }, done) => {
        // nodemailer reads the message only after the login.
        message.processFunc(stream => {
          isLoggedIn = true;
          return stream;
        });
        done();
      });
      const sent = await transport
        .sendMail({ ...mail, signal: AbortSignal.timeout(timeoutMs) })
        .catch(error => {
          throw mailErrorOf(error, isLoggedIn);
        });
      const recipients = [sent.envelope.to].flat();
      const refused = sent.rejected.map((address, index) => ({
        place: `address ${recipients.indexOf(address) + 1} of ${recipients.length}`,
        reason: mailErrorOf(sent.rejectedErrors?.[index], true),
      }));
      return { reply: replyOf(sent.response), refused };
    },
    async verify() {
      const { createTransport } = await nodemailer();
      await createTransport(options)
        .verify()
        .catch(error => {
          throw mailErrorOf(error, false);
        });
    },
  };
}

/**
 * The dry run: mails become .eml files in `<dataDirectory>/mail`, which any mail program opens.
 * A mail tried again replaces its file.
 */
export function createFileMailer(dataDirectory: string): Mailer {
  const directory = join(dataDirectory, 'mail');
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new MailError('temporary', error.code ?? 'unknown');
  };
  return {
    name: 'file',
    async send(mail) {
      const { createTransport } = await nodemailer();
      const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await composer.sendMail(mail);
      const path = join(directory, `${mail.messageId.replace(/[^A-Za-z0-9._@-]/g, '')}.eml`);
      await writePrivateFile(path, message).catch(refuse);
      return {};
    },
    verify: () => makePrivateDirectory(directory).catch(refuse),
  };
}

const SmtpError = z.object({
  code: z.string().catch(''),
  /** The system's code behind ESOCKET and EDNS. */
  originalCode: z.string().optional().catch(undefined),
  /** The command that failed: `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
});

function mailErrorOf(error: unknown, isLoggedIn: boolean): MailError {
  const { code, originalCode, command, responseCode, response } = SmtpError.catch({ code: '' }).parse(error);
  const isDown = !isLoggedIn || command === 'MAIL FROM';
  // The server offers no TLS or refuses it. Its number does not matter.
  if (code === 'ETLS') return new MailError('configuration', code, response, isDown);
  if (responseCode !== undefined)
    return new MailError(kindOfReply(responseCode, code), `smtp-${responseCode}`, response, isDown);
  // EABORT: our own time-out.
  const cause = originalCode ?? (code === 'EABORT' ? 'ETIMEDOUT' : code);
  const kind = kindOfCode(cause) ?? kindOfCode(code) ?? 'ambiguous';
  // Nothing of the mail has been sent before the login.
  const isSurelyUnsent = kind === 'ambiguous' && !isLoggedIn;
  return new MailError(isSurelyUnsent ? 'temporary' : kind, cause || 'unknown', undefined, isDown);
}

/**
 * The kind of a reply: 4yz may work later, 5yz will not (RFC 5321, 4.2.1). A refused login or TLS concerns
 * every mail.
 */
function kindOfReply(responseCode: number, code: string): MailErrorKind {
  if (responseCode < 500) return 'temporary';
  // 530: the server wants a login, and none is set.
  return responseCode === 530 || kindOfCode(code) === 'configuration' ? 'configuration' : 'permanent';
}
