import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import { codeOf } from '../../brand/profile/thrown.ts';
import { isLoopback } from '../../brand/profile/web-address.ts';
import { type Environment, SETTINGS, VARIABLES } from './settings.ts';

type Settings = z.infer<typeof SETTINGS>;

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
  refuseBroken(RULES, data);
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

const hasMailer = ({ SMTP_URL, MAILGUN_API_KEY }: Settings) => (SMTP_URL ?? MAILGUN_API_KEY) !== undefined;

/**
 * What production needs of a server that others reach. Commands that only ask need none of it.
 * @throws ConfigError naming each setting with its rule
 */
export function refuseExposed(config: Config): void {
  if (config.production) refuseBroken(EXPOSED, config);
}

/** What settings say of each other: which one is at fault, when, and what to do. */
type Rules<Of> = readonly (readonly [name: string, isBroken: (settings: Of) => boolean, fix: string])[];

function refuseBroken<Of>(rules: Rules<Of>, settings: Of): void {
  const broken = rules.filter(([, isBroken]) => isBroken(settings));
  if (broken.length > 0) throw unusable(broken.map(([name, , fix]) => `${name}: ${fix}`));
}

/** Anybody on the way reads along. */
const isOpenHttp = (url = '') => url.startsWith('http:') && !isLoopback(new URL(url).host);

/** The widest private network is 10.0.0.0/8; a prefix shorter than /7 trusts a part of the internet. */
const WIDE = /\/[0-6]$/;

const EXPOSED: Rules<Config> = [
  [
    'BASE_URL',
    ({ baseUrl }) => baseUrl === undefined,
    'production needs the public origin, https://acme.example: ' +
      'documents and the check of the Host header are made of it',
  ],
  [
    'BASE_URL',
    ({ allowInsecure, baseUrl }) => !allowInsecure && isOpenHttp(baseUrl),
    'must begin with https:// in production. ALLOW_INSECURE=1 allows http://',
  ],
  [
    'TRUSTED_PROXIES',
    ({ allowInsecure, proxies }) => !allowInsecure && proxies.ranges.some(range => WIDE.test(range)),
    'trusts addresses of strangers, so they can choose the address that its limits count. ' +
      'Name your proxy, or set ALLOW_INSECURE=1',
  ],
  [
    'WEBHOOK_URL',
    ({ webhook }) => isOpenHttp(webhook?.url),
    'must begin with https:// in production: what people send goes through it',
  ],
  [
    'MAILGUN_URL',
    ({ allowInsecure, mail: { mailgun } }) => !allowInsecure && isOpenHttp(mailgun?.url),
    'must begin with https:// in production: the key and what people send go through it. ' +
      'ALLOW_INSECURE=1 allows http://',
  ],
  [
    'SMTP_URL',
    ({ allowInsecure, mail: { smtpUrl = '' } }) =>
      !allowInsecure && /[?&](secure|requireTLS|ignoreTLS|tls\b)/i.test(smtpUrl),
    'changes how TLS is used, after its ?, so the password may travel without. ' +
      'Leave that out, or set ALLOW_INSECURE=1',
  ],
];

/** Without BASE_URL on an address that stands for all of them, nobody knows by which name visitors come. */
export const servesAnyHost = ({ baseUrl, host, production }: Config): boolean =>
  baseUrl === undefined && !production && isWildcard(host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

const RULES: Rules<Settings> = [
  [
    'TRUSTED_HOPS',
    ({ TRUSTED_HOPS, TRUSTED_PROXIES }) => TRUSTED_HOPS > 0 && TRUSTED_PROXIES.length > 0,
    'set it or TRUSTED_PROXIES, not both',
  ],
  [
    'MAILGUN_DOMAIN',
    ({ MAILGUN_API_KEY, MAILGUN_DOMAIN }) =>
      (MAILGUN_API_KEY === undefined) !== (MAILGUN_DOMAIN === undefined),
    'goes together with MAILGUN_API_KEY',
  ],
  [
    'WEBHOOK_SECRET',
    ({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL !== undefined && WEBHOOK_SECRET === undefined,
    'is needed with WEBHOOK_URL. Give the receiver the same. ' +
      `A new one: whsec_${randomBytes(32).toString('base64')}`,
  ],
  [
    'SMTP_URL',
    ({ SMTP_URL, MAILGUN_API_KEY }) => SMTP_URL !== undefined && MAILGUN_API_KEY !== undefined,
    'set it or MAILGUN_API_KEY, not both',
  ],
  [
    'BRAND_FILE',
    ({ NODE_ENV: production, BRAND_FILE, START_WITHOUT_BRAND, BASE_URL = LOOPBACK }) =>
      production && BRAND_FILE === undefined && !START_WITHOUT_BRAND && !isLoopback(new URL(BASE_URL).host),
    'production needs your own profile: without it the bundled example would answer in your name',
  ],
  [
    'BASE_URL',
    ({ HOST, BASE_URL }) => HOST.startsWith('unix:') && BASE_URL === undefined,
    'is needed where HOST is a socket: no address can be told from it',
  ],
  [
    'MAIL_FROM',
    settings => hasMailer(settings) && settings.MAIL_FROM === undefined,
    'is needed to send mail',
  ],
  ['MAIL_TO', settings => hasMailer(settings) && settings.MAIL_TO === undefined, 'is needed to send mail'],
];

const LOOPBACK = 'http://127.0.0.1';

const EXAMPLE_BRAND = fileURLToPath(import.meta.resolve('#package/examples/brand.json'));
const EXAMPLE_JWKS = fileURLToPath(import.meta.resolve('#package/examples/brand.jwks.json'));

/** The settings as the code has them. */
function complete(set: Settings) {
  const { HOST: host, PORT: port, BASE_URL: baseUrl, DATA_DIR: dataDirectory } = set;
  const { MAILGUN_API_KEY: key, MAILGUN_DOMAIN: domain, MAILGUN_URL: url } = set;
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
      smtpUrl: set.SMTP_URL,
      smtpPlain: set.ALLOW_INSECURE,
      mailgun: key === undefined || domain === undefined ? undefined : { key, domain, url },
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
