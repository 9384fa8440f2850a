import type { Mode } from '../../tools/deliver.ts';
import type { Config, MailConfig } from '../config/config.ts';
import type { ProviderSettings } from '../config/mail-providers.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createMailgunMailer } from '../mail/mailgun.ts';
import { createFileMailer, createSmtpMailer } from '../mail/smtp.ts';
import { SCHEDULE } from './schedule.ts';

/** How submissions are sent, and the mode that callers see. */
interface MailRoute {
  readonly mode: Mode;
  readonly mailer: Mailer;
}

/**
 * Decides between real mail and a dry run, whose mails are files in the data directory. A server sends real
 * mail in production. A session over stdio has no such setting, and sends it where a provider is configured.
 * @example const { mode, mailer } = mailRouteOf(config, 'server');
 */
export function mailRouteOf(
  { mail, production, dataDirectory }: Config,
  user: 'server' | 'stdio',
): MailRoute {
  const configured = configuredMailer(mail);
  const isReal = user === 'server' ? production : configured !== undefined;
  const files = createFileMailer(dataDirectory);
  if (!isReal) return { mode: 'dry-run', mailer: files };
  // In production a server without a provider has a profile without actions.
  return { mode: 'production', mailer: configured ?? files };
}

/** The mailer of the configuration; `undefined`: none is configured. */
export const configuredMailer = ({ provider }: MailConfig): Mailer | undefined =>
  provider && mailerOf(provider);

function mailerOf(provider: ProviderSettings): Mailer {
  const { attemptTimeoutMs: timeoutMs } = SCHEDULE;
  switch (provider.name) {
    case 'mailgun':
      return createMailgunMailer({ ...provider, timeoutMs });
    case 'smtp':
      return createSmtpMailer({ ...provider, timeoutMs });
  }
}
