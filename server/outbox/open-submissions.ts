import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { actionsOf } from '../../tools/index.ts';
import { type Config, ConfigError, type MailConfig } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { once } from '../config/once.ts';
import type { Mailer } from '../mail/mailer.ts';
import { LOST_FIX, openedWhenAsked } from './database.ts';
import { type Outbox, type OutboxOptions, openOutbox } from './outbox.ts';
import { SCHEDULE } from './schedule.ts';
import { type Database, DatabaseRefused, sql } from './sql.ts';

type Parts = Pick<OutboxOptions, 'mailer' | 'mode' | 'background' | 'clock' | 'log'> & {
  /** The profile that mails are written for. Called for each mail, because a reload may change it. */
  readonly profile: () => Profile | undefined;
  /** Default: that of the configuration, opened by the first who asks for something in it. */
  readonly database?: Database;
};

/** The outbox of the configuration. */
export function openSubmissions(config: Config, { profile, ...parts }: Parts): Outbox {
  const { from, to: team } = config.mail;
  const { database = submissionsDatabase(config, parts.log) } = parts;
  return openOutbox({ ...parts, database, mail: { from, team, profile }, retentionDays: config.retentionDays });
}

/**
 * Opens the database now. Where that cannot work now (a full disk, a server that is away), the service starts with its
 * forms closed, and they open by themselves; the alarm is the outbox's.
 * @throws DatabaseRefused where waiting mends nothing
 */
export async function refuseUnusable(outbox: Outbox, profile: Profile | undefined): Promise<void> {
  await refuseForeign(outbox, profile).catch(async error => {
    await outbox.close();
    throw error;
  });
}

/** @throws DatabaseRefused where the store belongs to another profile; a database that is away is asked again later */
export async function refuseForeign({ open, database }: Outbox, profile: Profile | undefined): Promise<void> {
  const opened = profile ? open(profile) : database.query(sql`SELECT 1`);
  await opened.catch((error: unknown) => {
    if (error instanceof DatabaseRefused) throw error;
  });
}

/** The database of the configuration, opened by the first who asks for something in it. */
export const submissionsDatabase = (config: Config, log: Log): Database =>
  openedWhenAsked(config, tables => log('error', 'tables lost', { tables, fix: LOST_FIX, alarm: true }));

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
export function serverMailer(config: Config): Mailer {
  return (config.production ? configuredMailer(config.mail) : undefined) ?? fileMailer(config);
}

/** The mailer of the configuration; `undefined`: none is configured. */
export function configuredMailer({ mailgun, smtpUrl, smtpPlain }: MailConfig): Mailer | undefined {
  const timeoutMs = SCHEDULE.attemptTimeoutMs;
  if (mailgun) {
    return loadedWhenAsked('mailgun', async () => {
      const { createMailgunMailer } = await import('../mail/mailgun.ts');
      return createMailgunMailer({ ...mailgun, timeoutMs });
    });
  }
  if (smtpUrl === undefined) return undefined;
  return loadedWhenAsked('smtp', async () => {
    const { createSmtpMailer } = await import('../mail/smtp.ts');
    return createSmtpMailer({ url: smtpUrl, plain: smtpPlain, timeoutMs });
  });
}

/** The dry run. */
export function fileMailer({ dataDirectory }: Config): Mailer {
  return loadedWhenAsked('file', async () => {
    const { createFileMailer } = await import('../mail/file.ts');
    return createFileMailer(dataDirectory);
  });
}

/** Loads the mailer's package later: each costs a start up to 0.1 s. */
function loadedWhenAsked(name: Mailer['name'], load: () => Promise<Mailer>): Mailer {
  const loaded = once(load);
  return {
    name,
    send: async mail => (await loaded()).send(mail),
    verify: async () => (await loaded()).verify(),
  };
}

/** The mode of the server's submissions. */
export const modeOf = ({ production }: Config): Mode => (production ? 'production' : 'dry-run');
