import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { actionsOf } from '../../tools/index.ts';
import { type Config, ConfigError, type MailConfig } from '../config/config.ts';
import { HOW_TO_SEND } from '../config/mail-providers.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createMailgunMailer } from '../mail/mailgun.ts';
import { createFileMailer, createSmtpMailer } from '../mail/smtp.ts';
import { createFileWebhook, createWebhook, type WebhookSender } from '../webhook/webhook.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import { SCHEDULE } from './schedule.ts';
import { DatabaseRefused, sql } from './sql.ts';

interface Parts extends Pick<OutboxOptions, 'database' | 'mailer' | 'mode' | 'log' | 'clock'> {
  /** The profile of mails. Called for each mail, because a reload may change it. */
  readonly profile: () => Profile | undefined;
}

export function openSubmissions(config: Config, { profile, ...parts }: Parts): Outbox {
  const { mail, policies, retentionDays } = config;
  return new Outbox({
    ...parts,
    mail: { from: mail.from, team: mail.to, profile },
    webhook: webhookOf(config, parts.mode),
    policies,
    retentionDays,
  });
}

/** The sender of events. In a dry run they become files. */
function webhookOf({ webhook, dataDirectory }: Config, mode: Mode): WebhookSender | undefined {
  if (webhook === undefined) return undefined;
  return mode === 'production' ? createWebhook(webhook) : createFileWebhook(dataDirectory);
}

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
export function configuredMailer({ provider }: MailConfig): Mailer | undefined {
  const { attemptTimeoutMs: timeoutMs } = SCHEDULE;
  switch (provider?.name) {
    case undefined:
      return undefined;
    case 'mailgun':
      return createMailgunMailer({ ...provider, timeoutMs });
    case 'smtp':
      return createSmtpMailer({ ...provider, timeoutMs });
  }
}

/**
 * Opens the database. If it does not answer, the service starts with closed forms and tries again later.
 * @throws DatabaseRefused if waiting does not help, for example for the store of another profile
 */
export async function refuseForeign(outbox: Outbox, profile: Profile | undefined): Promise<void> {
  const opened = profile ? outbox.open(profile) : outbox.database.query(sql`SELECT 1`);
  await opened.catch((error: unknown) => {
    if (error instanceof DatabaseRefused) throw error;
  });
}

/**
 * In production, a profile with actions needs a way to send mail.
 * @throws ConfigError
 */
export function refuseWithoutMail({ production, mail }: Config, profile: Profile | undefined): void {
  if (!production || mail.provider || actionsOf(profile).length === 0) return;
  throw new ConfigError(
    'The configuration cannot be used:\n  MAIL_TO: production needs a way to send mail: set ' +
      `${HOW_TO_SEND}, ` +
      'with MAIL_FROM and MAIL_TO; or switch off the actions of the profile',
  );
}
