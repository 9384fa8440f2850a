import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { actionsOf } from '../../tools/index.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { HOW_TO_SEND } from '../config/mail-providers.ts';
import { createFileWebhook, createWebhook, type WebhookSender } from '../webhook/webhook.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
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
