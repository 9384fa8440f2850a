import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { makePrivateDirectory } from '../config/private-files.ts';
import { MailError, type Mailer } from './mailer.ts';
import { mailOptions } from './smtp.ts';

/**
 * The dry run: mails become .eml files in `<dataDirectory>/mail`, which any mail program opens.
 * A mail tried again replaces its file.
 */
export function createFileMailer(dataDirectory: string): Mailer {
  const directory = join(dataDirectory, 'mail');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    name: 'file',
    async send(mail) {
      const { message } = await composer.sendMail(mailOptions(mail));
      const path = join(directory, `${mail.messageId.replace(/[^A-Za-z0-9._@-]/g, '')}.eml`);
      await makePrivateDirectory(directory).catch(refuse);
      await writeFile(`${path}.new`, message, { mode: 0o600 }).catch(refuse);
      await rename(`${path}.new`, path).catch(refuse);
      return { id: mail.messageId };
    },
    verify: () => makePrivateDirectory(directory).catch(refuse),
  };
}

function refuse(error: NodeJS.ErrnoException): never {
  throw new MailError('temporary', error.code ?? 'unknown');
}
