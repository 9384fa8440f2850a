import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brandName } from '../../brand/profile/profile.ts';
import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import { openModel } from '../../brand/retrieval/model.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { type Config, readConfig, refuseExposed } from '../config/config.ts';
import { makePrivateDirectory } from '../config/private-files.ts';
import { type Environment, unknownSettings } from '../config/settings.ts';
import { connect, databaseFile } from '../outbox/database.ts';
import { DatabaseRefused, sql } from '../outbox/sql.ts';
import { countOverdue } from '../outbox/stored-submission.ts';
import { requireKnown } from '../outbox/tables.ts';
import { freeBytes } from '../run/health.ts';
import { readBrandFile } from '../run/load-brand.ts';
import { mail, proxies, publicAddress, webhook } from './examine-network.ts';

/** The result of a check: a sentence or a note. A check throws a fault with its fix. */
export type Finding = string | { readonly note: string };

type Check = (config: Config, environment: Environment) => Promise<Finding>;

/** The checks of an installation by name. */
const CHECKS: Readonly<Record<string, Check>> = {
  configuration: settings,
  profile,
  encoder,
  'data directory': dataDirectory,
  store,
  mail,
  'base URL': publicAddress,
  'proxy headers': proxies,
};

interface DoctorOptions {
  /** Only settings and profile, which a reload needs. */
  readonly profile?: boolean;
  /** Only the webhook, which gets a test event. */
  readonly webhook?: boolean;
}

/**
 * `aval doctor`: runs the checks of an installation. Exit code 1 if one fails.
 * @throws ConfigError if the settings have faults
 */
export async function doctor(options: DoctorOptions, environment: Environment): Promise<ExitCode> {
  const config = readConfig(environment);
  let checks = CHECKS;
  if (options.profile) checks = { configuration: settings, profile };
  if (options.webhook) checks = { webhook };
  let isFaulty = false;
  for (const [name, check] of Object.entries(checks)) {
    try {
      const finding = await check(config, environment);
      if (typeof finding === 'string') writeFinding('ok', name, finding);
      else writeFinding('note', name, finding.note);
    } catch (error) {
      isFaulty = true;
      writeFinding('fault', name, messageOf(error));
    }
  }
  return isFaulty ? 1 : 0;
}

function writeFinding(state: 'ok' | 'note' | 'fault', name: string, text: string): void {
  const indented = text.replaceAll('\n', '\n'.padEnd(24));
  writeLines(process.stdout, [`${state.padEnd(5)}  ${name.padEnd(14)}  ${indented}`]);
}

async function settings(config: Config, environment: Environment): Promise<Finding> {
  refuseExposed(config);
  const warnings = unknownSettings(environment);
  if (warnings.length > 0) return { note: warnings.join('\n') };
  return config.production ? 'production' : 'development: mail is a dry run';
}

/** Reads the profile like the server: with signature, host and dates. */
async function profile(config: Config): Promise<Finding> {
  const { profile, warnings } = await readBrandFile(config);
  const message = `${brandName(profile)}, ${profile.claims.length} claims, until ${profile.expires_at}`;
  // The host of the bundled example does not exist.
  if (warnings.length === 0 || config.isExample) return message;
  return { note: `${message}; ${warnings.join('; ')}` };
}

/** Opens the model like the server. */
async function encoder({ embedding }: Config): Promise<Finding> {
  const { answeredBy, embedder } = await openModel(embedding);
  await embedder.close();
  return answeredBy;
}

async function dataDirectory({ dataDirectory: directory }: Config): Promise<Finding> {
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

/** Free space that is enough: room for about ten thousand submissions. */
const NEEDED_MB = 100;

/** Opens the database without changing it: only a server makes tables. */
async function store({ dataDirectory: directory, databaseUrl }: Config): Promise<Finding> {
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
    const fault: unknown = await requireKnown(database.query).catch(error => error);
    if (fault instanceof DatabaseRefused) throw fault;
    if (fault) return `${where} answers, and is empty`;
    const overdue = await countOverdue(database, Date.now());
    if (overdue === 0) return `${where} answers`;
    return { note: `${where} answers; not mailed in the promised time: ${overdue}, see aval outbox list` };
  } finally {
    await database.close();
  }
}
