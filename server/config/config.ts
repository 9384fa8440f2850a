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

/** All faults of the settings at once, one line each. */
export class ConfigError extends Error {}

/**
 * Reads the only settings there are. A variable's value may also stand in the file that NAME_FILE names.
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

/** Docker hands on the quotes of its --env-file; Node and systemd take them off. */
const unquoted = (value: string | undefined) => value?.trim().replace(/^(["'])(.*)\1$/s, '$2');

/**
 * Some editors put a byte order mark before the first line of a file, and Node takes it for a part of the
 * first name.
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
 * What production needs of a server that others reach. Commands that only ask need none of it.
 * @throws ConfigError naming each setting with its rule
 */
export function refuseExposed(config: Config): void {
  const faults = config.production ? exposuresOf(config) : [];
  if (faults.length > 0) throw unusable(faults);
}

/** Without BASE_URL on an address that stands for all of them, nobody knows by which name visitors come. */
export const servesAnyHost = ({ baseUrl, host, production }: Config): boolean =>
  baseUrl === undefined && !production && isWildcard(host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

const EXAMPLE_BRAND = fileURLToPath(import.meta.resolve('#package/examples/brand.json'));
const EXAMPLE_JWKS = fileURLToPath(import.meta.resolve('#package/examples/brand.jwks.json'));

/** The settings as the code has them. */
function complete(set: Settings) {
  const { HOST: host, PORT: port, BASE_URL: baseUrl, DATA_DIR: dataDirectory } = set;
  return {
    host,
    port,
    baseUrl,
    dataDirectory,
    allowInsecure: set.ALLOW_INSECURE,
    /** Whose server it is, in each log line and metric: the host of the public address. */
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
      ...readProvider(set),
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

/** The variable at fault, and which item of its list. */
function placeOf([name, index]: readonly PropertyKey[]): string {
  return index === undefined ? String(name) : `${String(name)}, item ${Number(index) + 1}`;
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(
    `The configuration cannot be used:\n${faults.map(fault => `  ${fault}`).join('\n')}`,
  );
}
