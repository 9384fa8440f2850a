import type { Config, MailConfig } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Outbox, type OutboxOptions, openOutbox } from './outbox.ts';
import { SCHEDULE } from './schedule.ts';

/**
 * Opens the journal of submissions and takes up what is still owed.
 * @throws OutboxLocked when another process writes to the data directory
 */
export function openSubmissions(
  { dataDirectory, mail }: Config,
  parts: Pick<OutboxOptions, 'mailer' | 'background'> & { readonly brandName: string; readonly log: Log },
): Promise<Outbox> {
  const { brandName, ...rest } = parts;
  return openOutbox({ ...rest, dataDirectory, mail: { from: mail.from, team: mail.to, brandName } });
}

/** Real mail in production; outside it files in the data directory. */
export async function serverMailer(config: Config): Promise<Mailer> {
  const configured = config.production ? await configuredMailer(config.mail) : undefined;
  return configured ?? fileMailer(config);
}

/** The mailer of the configuration; `undefined`: none is configured. Loaded only where it is used: each takes 0.1 s. */
export async function configuredMailer({ mailgun, smtpUrl }: MailConfig): Promise<Mailer | undefined> {
  const timeoutMs = SCHEDULE.attemptTimeoutMs;
  if (mailgun) {
    const { createMailgunMailer } = await import('../mail/mailgun.ts');
    return createMailgunMailer({ ...mailgun, timeoutMs, testMode: false });
  }
  if (smtpUrl === undefined) return undefined;
  const { createSmtpMailer } = await import('../mail/smtp.ts');
  return createSmtpMailer({ url: smtpUrl, timeoutMs });
}

/** The dry run. */
export async function fileMailer({ dataDirectory }: Config): Promise<Mailer> {
  const { createFileMailer } = await import('../mail/file.ts');
  return createFileMailer(dataDirectory);
}
