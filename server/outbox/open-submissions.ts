import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { actionsOf } from '../../tools/index.ts';
import { type Config, ConfigError, type MailConfig } from '../config/config.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createMailgunMailer } from '../mail/mailgun.ts';
import { createFileMailer, createSmtpMailer } from '../mail/smtp.ts';
import { type Outbox, type OutboxOptions, openOutbox } from './outbox.ts';
import { SCHEDULE } from './schedule.ts';
import { DatabaseRefused, sql } from './sql.ts';

interface Parts extends Pick<OutboxOptions, 'database' | 'mailer' | 'mode' | 'background' | 'log'> {
  /** The profile that mails are written for. Called for each mail, because a reload may change it. */
  readonly profile: () => Profile | undefined;
}

export function openSubmissions({ mail, retentionDays }: Config, { profile, ...parts }: Parts): Outbox {
  return openOutbox({ ...parts, mail: { from: mail.from, team: mail.to, profile }, retentionDays });
}

/**
 * Opens the database. One that is away is asked again later: the service starts with its forms closed, and they open by
 * themselves.
 * @throws DatabaseRefused where waiting mends nothing, as where the store belongs to another profile
 */
export async function refuseForeign({ open, database }: Outbox, profile: Profile | undefined): Promise<void> {
  const opened = profile ? open(profile) : database.query(sql`SELECT 1`);
  await opened.catch((error: unknown) => {
    if (error instanceof DatabaseRefused) throw error;
  });
}

/**
 * In production what people send must reach the team: without a way to send mail only a profile without actions is served.
 * @throws ConfigError
 */
export function refuseWithoutMail({ production, mail }: Config, profile: Profile | undefined): void {
  if (!production || configuredMailer(mail) || actionsOf(profile).length === 0) return;
  throw new ConfigError(
    'The configuration cannot be used:\n  SMTP_URL: production needs a way to send mail: set it, or MAILGUN_API_KEY and ' +
      'MAILGUN_DOMAIN, with MAIL_FROM and MAIL_TO; or switch off the actions of the profile',
  );
}

/** Real mail in production; outside it files in the data directory. */
export const serverMailer = ({ production, mail, dataDirectory }: Config): Mailer =>
  (production ? configuredMailer(mail) : undefined) ?? createFileMailer(dataDirectory);

/** The mailer of the configuration; `undefined`: none is configured. */
export function configuredMailer({
  mailgun,
  smtpUrl: url,
  smtpPlain: plain,
}: MailConfig): Mailer | undefined {
  const timeoutMs = SCHEDULE.attemptTimeoutMs;
  if (mailgun) return createMailgunMailer({ ...mailgun, timeoutMs });
  return url === undefined ? undefined : createSmtpMailer({ url, plain, timeoutMs });
}

export const modeOf = ({ production }: Config): Mode => (production ? 'production' : 'dry-run');
