import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Config } from '../config/config.ts';
import { makePrivateDirectory, writeWhole } from '../config/private-files.ts';
import { MailError } from '../mail/mailer.ts';
import * as archive from '../outbox/archive.ts';
import { connect, databaseFile } from '../outbox/database.ts';
import { configuredMailer } from '../outbox/open-submissions.ts';
import { DatabaseRefused, sql } from '../outbox/sql.ts';
import { requireKnown } from '../outbox/tables.ts';
import { loadBrand } from '../run/load-brand.ts';
import { type Finding, note, ok } from './examination.ts';

/** Loads as the server would: signature, host and dates included. */
export async function profile(config: Config): Promise<Finding> {
  const warnings: unknown[] = [];
  const brand = await loadBrand(config, (level, _, fields) => level === 'warn' && warnings.push(fields?.warning));
  const says = `${brand.name}, ${brand.profile.claims.length} claims, until ${brand.profile.expires_at}; answered by ${brand.answeredBy}`;
  return warnings.length > 0 ? note(`${says}; ${warnings.join('; ')}`) : ok(says);
}

/** Whoever can write the profile or its keys speaks for the brand; a private key does not belong here at all. */
export async function files({ isExample, brandFile, brandJwks }: Config): Promise<Finding | undefined> {
  if (isExample) return undefined;
  const folder = dirname(brandFile);
  const keys = (await readdir(folder)).filter(name => name.endsWith('.key.json'));
  if (keys.length > 0) {
    return note(`${join(folder, keys[0] ?? '')} looks like a private key: keep it where you sign, not on the server`);
  }
  for (const file of [brandFile, brandJwks].filter(file => file !== undefined)) {
    const { mode } = await stat(file);
    if (mode & OTHERS_MAY_WRITE) throw new Error(`${file} can be written by others: chmod go-w ${file}`);
  }
  return ok(`${basename(brandFile)} can be written by its owner alone`);
}

const OTHERS_MAY_WRITE = 0o022;

export async function dataDirectory({ dataDirectory: directory }: Config): Promise<Finding> {
  try {
    await makePrivateDirectory(directory);
    const probe = await mkdtemp(join(directory, 'doctor-'));
    await writeWhole(join(probe, 'probe'), 'x').finally(() => rm(probe, { recursive: true }));
  } catch (error) {
    throw new Error(
      `${directory} cannot be written to (${codeOf(error)}): give this user the directory, or set another DATA_DIR`,
    );
  }
  const { bavail, bsize } = await statfs(directory);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  if (free < NEEDED_MB) throw new Error(`${directory} has ${free} MB left: a full disk refuses every submission`);
  return ok(`${directory} can be written to, ${free} MB free`);
}

const MEGABYTE = 1024 * 1024;

/** Some ten thousand submissions. */
const NEEDED_MB = 100;

/** Opened as it stands: its tables are the server's to make and to bring up to date. */
export async function store({ dataDirectory: directory, databaseUrl }: Config): Promise<Finding> {
  const file = databaseFile(directory);
  const isThere = databaseUrl !== undefined || (await stat(file).catch(() => undefined)) !== undefined;
  if (!isThere) return ok('none yet: the first start makes it');
  const database = await connect({ dataDirectory: directory, databaseUrl });
  try {
    await database.query(sql`SELECT 1`).catch(error => {
      throw new Error(`the database cannot be reached (${error.code}): start it, and check address and password`);
    });
    const where = databaseUrl === undefined ? file : 'Postgres';
    const empty = await requireKnown(database.query).catch(error => {
      if (error instanceof DatabaseRefused) throw error;
      return ok(`${where} answers, and is empty`);
    });
    if (empty) return empty;
    const overdue = await archive.overdue(database, Date.now());
    if (overdue > 0) return note(`${where} answers; not mailed in the promised time: ${overdue}, see aval outbox list`);
    return ok(`${where} answers`);
  } finally {
    await database.close();
  }
}

export async function mail(config: Config): Promise<Finding> {
  const mailer = configuredMailer(config.mail);
  if (!mailer)
    return note('none is configured: submissions become files; set MAILGUN_API_KEY and MAILGUN_DOMAIN, or SMTP_URL');
  try {
    await mailer.verify();
    return ok(`${mailer.name} accepts the login`);
  } catch (error) {
    const { kind, code } = error instanceof MailError ? error : new MailError('ambiguous', 'unknown');
    const fix =
      code === 'ETLS'
        ? 'it offers no TLS, and the password would go in clear: use smtps://, or a server with STARTTLS; ALLOW_INSECURE=1 sends it all the same'
        : kind === 'configuration'
          ? 'check key, domain, user and password'
          : 'check address and network, then try again';
    throw new Error(`${mailer.name} refuses (${code}): ${fix}`);
  }
}
