import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import { actionsOf } from '../../tools/index.ts';
import { type Config, ConfigError, type MailConfig } from '../config/config.ts';
import { once } from '../config/timing.ts';
import type { Mailer } from '../mail/mailer.ts';
import { openedWhenAsked } from './database.ts';
import { type Outbox, type OutboxOptions, openOutbox } from './outbox.ts';
import { SCHEDULE } from './schedule.ts';
import { DatabaseRefused, sql } from './sql.ts';

type Parts = Pick<OutboxOptions, 'mailer' | 'mode' | 'background' | 'clock' | 'log'> &
  Partial<Pick<OutboxOptions, 'database'>> & {
    /** The profile that mails are written for. Called for each mail, because a reload may change it. */
    readonly profile: () => Profile | undefined;
  };

export function openSubmissions(config: Config, { profile, ...parts }: Parts): Outbox {
  const { from, to: team } = config.mail;
  const { database = openedWhenAsked(config, parts.log) } = parts;
  return openOutbox({ ...parts, database, mail: { from, team, profile }, retentionDays: config.retentionDays });
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
export function serverMailer(config: Config): Mailer {
  return (config.production ? configuredMailer(config.mail) : undefined) ?? fileMailer(config);
}

/** The mailer of the configuration; `undefined`: none is configured. */
export function configuredMailer({ mailgun, smtpUrl: url, smtpPlain: plain }: MailConfig): Mailer | undefined {
  const timeoutMs = SCHEDULE.attemptTimeoutMs;
  if (mailgun) {
    const load = () => import('../mail/mailgun.ts');
    return loadedWhenAsked('mailgun', async () => (await load()).createMailgunMailer({ ...mailgun, timeoutMs }));
  }
  if (url === undefined) return undefined;
  const load = () => import('../mail/smtp.ts');
  return loadedWhenAsked('smtp', async () => (await load()).createSmtpMailer({ url, plain, timeoutMs }));
}

export function fileMailer({ dataDirectory }: Config): Mailer {
  const load = () => import('../mail/file.ts');
  return loadedWhenAsked('file', async () => (await load()).createFileMailer(dataDirectory));
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

export const modeOf = ({ production }: Config): Mode => (production ? 'production' : 'dry-run');
