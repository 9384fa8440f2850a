import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brandName } from '../../brand/profile/profile.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import type { Config } from '../config/config.ts';
import { makePrivateDirectory } from '../config/private-files.ts';
import { MailError } from '../mail/mailer.ts';
import { connect, databaseFile } from '../outbox/database.ts';
import { configuredMailer } from '../outbox/open-submissions.ts';
import { DatabaseRefused, sql } from '../outbox/sql.ts';
import { countOverdue } from '../outbox/stored-submission.ts';
import { requireKnown } from '../outbox/tables.ts';
import { freeBytes } from '../run/health.ts';
import { readBrandFile } from '../run/load-brand.ts';

/** Reads the profile as the server would: signature, host and dates included. */
export async function profile(config: Config) {
  const { profile, warnings } = await readBrandFile(config);
  const says = `${brandName(profile)}, ${profile.claims.length} claims, until ${profile.expires_at}`;
  // The host of the bundled example does not exist.
  if (warnings.length === 0 || config.isExample) return says;
  return { note: `${says}; ${warnings.join('; ')}` };
}

/** Opens the model as the server would. */
export async function encoder({ embedding }: Config) {
  const { answeredBy, embedder } = await openModel(embedding);
  await embedder.close();
  return answeredBy;
}

/**
 * Whoever can write the profile or its keys speaks for the brand; a private key does not belong here at all.
 */
export async function files({ isExample, brandFile, brandJwks }: Config) {
  if (isExample) return undefined;
  const folder = dirname(brandFile);
  const key = (await readdir(folder)).find(name => name.endsWith('.key.json'));
  if (key !== undefined) {
    return {
      note: `${join(folder, key)} looks like a private key: keep it where you sign, not on the server`,
    };
  }
  for (const file of [brandFile, brandJwks].filter(file => file !== undefined)) {
    const { mode } = await stat(file);
    if (mode & OTHERS_MAY_WRITE) throw new Error(`${file} can be written by others: chmod go-w ${file}`);
  }
  return `${basename(brandFile)} can be written by its owner alone`;
}

const OTHERS_MAY_WRITE = 0o022;

export async function dataDirectory({ dataDirectory: directory }: Config) {
  try {
    await makePrivateDirectory(directory);
    const probe = await mkdtemp(join(directory, 'doctor-'));
    await writeFile(join(probe, 'probe'), 'x', { flush: true }).finally(() => rm(probe, { recursive: true }));
  } catch (error) {
    throw new Error(
      `${directory} cannot be written to (${codeOf(error)}): ` +
        'give this user the directory, or set another DATA_DIR',
    );
  }
  const free = Math.floor((await freeBytes(directory)) / 1024 ** 2);
  if (free < NEEDED_MB)
    throw new Error(`${directory} has ${free} MB left: a full disk refuses every submission`);
  return `${directory} can be written to, ${free} MB free`;
}

/** Some ten thousand submissions. */
const NEEDED_MB = 100;

/** Opened as it stands: its tables are the server's to make and to bring up to date. */
export async function store({ dataDirectory: directory, databaseUrl }: Config) {
  const file = databaseFile(directory);
  if (databaseUrl === undefined && !existsSync(file)) return 'none yet: the first start makes it';
  const where = databaseUrl === undefined ? file : 'Postgres';
  const database = await connect({ dataDirectory: directory, databaseUrl }, { readOnly: true });
  try {
    await database.query(sql`SELECT 1`).catch(error => {
      throw new Error(
        `the database cannot be reached (${error.code}): start it, and check address and password`,
      );
    });
    const isEmpty = await requireKnown(database.query).then(
      () => false,
      error => {
        if (error instanceof DatabaseRefused) throw error;
        return true;
      },
    );
    if (isEmpty) return `${where} answers, and is empty`;
    const overdue = await countOverdue(database, Date.now());
    if (overdue === 0) return `${where} answers`;
    return { note: `${where} answers; not mailed in the promised time: ${overdue}, see aval outbox list` };
  } finally {
    await database.close();
  }
}

export async function mail(config: Config) {
  const mailer = configuredMailer(config.mail);
  if (!mailer) {
    return {
      note:
        'none is configured: submissions become files; ' +
        'set MAILGUN_API_KEY and MAILGUN_DOMAIN, or SMTP_URL',
    };
  }
  try {
    await mailer.verify();
    return `${mailer.name} accepts the login`;
  } catch (error) {
    const { kind, code } = error instanceof MailError ? error : new MailError('ambiguous', 'unknown');
    const fix = MAIL_FIXES[code] ?? (mailer.name === 'mailgun' ? MAILGUN_FIXES[code] : undefined);
    throw new Error(`${mailer.name} refuses (${code}): ${fix ?? MAIL_FIXES[kind] ?? UNREACHED}`);
  }
}

const MAIL_FIXES: Readonly<Record<string, string>> = {
  ETLS:
    'it offers no TLS, and the password would go in clear: use smtps://, or a server with STARTTLS; ' +
    'ALLOW_INSECURE=1 sends it all the same',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'this port begins without TLS: use smtp:// there (it asks for STARTTLS; usual port 587), ' +
    'or smtps:// with port 465',
  ETIMEDOUT:
    'no greeting came: a port that begins with TLS, such as 465, needs smtps://; ' +
    'else check host, port and firewall',
  ENOTFOUND:
    'there is no such host: check it in SMTP_URL or MAILGUN_URL; ' +
    '/ ? # and @ in a password are written %2F %3F %23 %40',
  configuration: 'check key, domain, user and password',
};

const REGION =
  'check key and domain. ' +
  'A domain of the EU region needs MAILGUN_URL=https://api.eu.mailgun.net, one of the US region none';
const MAILGUN_FIXES: Readonly<Record<string, string>> = {
  'http-401': REGION,
  'http-403': REGION,
  'http-404': REGION,
};

const UNREACHED = 'check address and network, then try again';
