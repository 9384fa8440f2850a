import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../brand/profile/thrown.ts';
import { readProvider } from './mail-providers.ts';
import { conflictsOf, exposuresOf } from './setting-rules.ts';
import { type Environment, SETTINGS, type Settings, VARIABLES } from './settings.ts';

export type Config = Readonly<ReturnType<typeof complete>>;
export type MailConfig = Config['mail'];
export type TrustedProxies = Config['proxies'];

/** The settings have faults: the message has a line for each. */
export class ConfigError extends Error {}

/**
 * Reads and checks the settings. NAME_FILE may name a file with the value of NAME.
 * @throws ConfigError naming every wrong variable with its rule
 * @example
 * const config = readConfig({ BRAND_FILE: 'brand.json', PORT: '8787' });
 */
export function readConfig(environment: Environment): Config {
  const { data, error } = SETTINGS.safeParse(withFiles(environment));
  if (!data) throw unusable(error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`));
  const conflicts = conflictsOf(data);
  if (conflicts.length > 0) throw unusable(conflicts);
  return Object.freeze(complete(data));
}

/** Removes quotes: Docker passes on those of an --env-file; Node and systemd do not. */
const unquoted = (value: string | undefined) => value?.trim().replace(/^(["'])(.*)\1$/s, '$2');

/**
 * Reads a setting. Some editors begin a file with a byte order mark, which Node takes for a part of the first
 * name.
 */
const settingIn = (environment: Environment, name: string) =>
  unquoted(environment[name] ?? environment[`\uFEFF${name}`]);

/** The environment with the content of each file that NAME_FILE names. @throws ConfigError */
function withFiles(environment: Environment): Environment {
  const faults: string[] = [];
  const values = VARIABLES.map(({ name }): [string, string | undefined] => {
    const value = settingIn(environment, name);
    const file = settingIn(environment, `${name}_FILE`);
    if (!file) return [name, value];
    if (value) faults.push(`${name}: set it or ${name}_FILE, not both`);
    try {
      return [name, readFileSync(file, 'utf8').trim()];
    } catch (error) {
      faults.push(`${name}_FILE: ${file} cannot be read (${codeOf(error)})`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw unusable(faults);
  return Object.fromEntries(values);
}

/**
 * Refuses unsafe settings of a server in production. Commands that only ask do not need this.
 * @throws ConfigError naming each setting with its rule
 */
export function refuseExposed(config: Config): void {
  const faults = config.production ? exposuresOf(config) : [];
  if (faults.length > 0) throw unusable(faults);
}

/**
 * Outside production, on a wildcard address without BASE_URL the server's host name is not known, so any Host
 * is accepted.
 */
export const servesAnyHost = ({ baseUrl, host, production }: Config): boolean =>
  baseUrl === undefined && !production && isWildcard(host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

const EXAMPLE_BRAND = fileURLToPath(import.meta.resolve('#package/examples/brand.json'));
const EXAMPLE_JWKS = fileURLToPath(import.meta.resolve('#package/examples/brand.jwks.json'));

/** Makes the `Config` that the code uses. */
function complete(set: Settings) {
  const { HOST: host, PORT: port, BASE_URL: baseUrl, DATA_DIR: dataDirectory } = set;
  return {
    host,
    port,
    baseUrl,
    dataDirectory,
    allowInsecure: set.ALLOW_INSECURE,
    /** Host of the public address, for each log line and metric. */
    site: baseUrl === undefined ? `${host}:${port}` : new URL(baseUrl).host,
    production: set.NODE_ENV,
    drainSeconds: set.DRAIN_SECONDS,
    isExample: set.BRAND_FILE === undefined,
    brandFile: set.BRAND_FILE ?? EXAMPLE_BRAND,
    brandJwks: set.BRAND_JWKS ?? (set.BRAND_FILE === undefined ? EXAMPLE_JWKS : undefined),
    startWithoutBrand: set.START_WITHOUT_BRAND,
    embedding: {
      model: set.EMBEDDING_MODEL,
      threads: set.ENCODER_THREADS,
      cacheDirectory: join(dataDirectory, 'models'),
    },
    allowedHosts: set.ALLOWED_HOSTS,
    allowedOrigins: set.ALLOWED_ORIGINS,
    proxies: { ranges: set.TRUSTED_PROXIES, hops: set.TRUSTED_HOPS },
    databaseUrl: set.DATABASE_URL,
    retentionDays: set.RETENTION_DAYS,
    keepAsked: set.ASK_LOG === 'on',
    mail: {
      from: set.MAIL_FROM ?? 'aval@localhost',
      to: set.MAIL_TO ?? 'team@localhost',
      provider: readProvider(set),
    },
    webhook:
      set.WEBHOOK_URL === undefined ? undefined : { url: set.WEBHOOK_URL, secret: set.WEBHOOK_SECRET ?? '' },
    publishing: {
      off: set.PUBLISH_OFF,
      securityContact: set.SECURITY_CONTACT,
    },
    policies: set.LIMITS,
    admin: { port: set.ADMIN_PORT, host: set.ADMIN_HOST },
  };
}

/** `PORT`, or in a list `MAIL_TO, item 2`. */
function placeOf([name, index]: readonly PropertyKey[]): string {
  return index === undefined ? String(name) : `${String(name)}, item ${Number(index) + 1}`;
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `The configuration cannot be used:\n${faults.map(fault => `  ${fault}`).join('\n')}`,
  );
}
