import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import { POLICIES } from '../../tools/policies.ts';
import { SETTINGS, VARIABLE_OF, type Variable } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Settings = z.infer<typeof SETTINGS>;

export type Config = Readonly<ReturnType<typeof complete>>;
export type MailConfig = Config['mail'];
export type TrustedProxies = Settings['proxies'];

/** All faults of the environment at once, one line each. */
export class ConfigError extends Error {}

/**
 * Reads the only settings there are. A variable's value may also stand in the file that NAME_FILE names.
 * @throws ConfigError naming every wrong variable with its rule
 */
export function readConfig(environment: Environment): Config {
  const { data, error } = SETTINGS.safeParse(valuesIn(withFiles(environment)));
  if (!data) throw unusable(error.issues.map(({ path, message }) => `${variableAt(path)}: ${message}`));
  refuseBroken(RULES, data);
  return Object.freeze(complete(data));
}

/** Every variable there is, as documents and `aval serve --help` list them. */
export const VARIABLES: readonly Variable[] = variablesIn(SETTINGS);

/** The text of .env.example, and what `aval serve --help` prints: every setting with its default. */
export function envFile(): string {
  const rows = VARIABLES.map(({ name, fallback, words }) => `# ${words}\n#${name}=${fallback}\n`);
  return [ENV_FILE_HEAD, ...rows].join('\n');
}

const ENV_FILE_HEAD = `# Lists are comma-separated. Write a value with # or spaces in double quotes: without them Node cuts it at the #.
# NAME_FILE=/path takes the value of NAME from a file, for secrets: SMTP_URL_FILE=/run/secrets/smtp_url.
`;

/** Docker hands on the quotes of its --env-file; Node and systemd take them off. */
const unquoted = (value: string | undefined) => value?.trim().replace(/^(["'])(.*)\1$/s, '$2');

/** The environment with the content of each file that NAME_FILE names. @throws ConfigError */
function withFiles(environment: Environment): Environment {
  const faults: string[] = [];
  const values = VARIABLES.map(({ name }): [string, string | undefined] => {
    const value = unquoted(environment[name]);
    const file = VARIABLES.some(one => one.name === `${name}_FILE`) ? undefined : unquoted(environment[`${name}_FILE`]);
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

const hasMailer = ({ smtpUrl, mailgun }: Settings['mail']) => smtpUrl !== undefined || mailgun.key !== undefined;

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

const EXPOSED: Rules<Config> = [
  [
    'BASE_URL',
    ({ baseUrl }) => baseUrl === undefined,
    'production needs the public origin, https://acme.example: documents and the check of the Host header are made of it',
  ],
  [
    'BASE_URL',
    ({ allowInsecure, baseUrl = '' }) =>
      !allowInsecure && baseUrl.startsWith('http:') && !isLoopback(new URL(baseUrl).host),
    'must begin with https:// in production. ALLOW_INSECURE=1 allows http://',
  ],
  [
    'TRUSTED_PROXIES',
    ({ allowInsecure, proxies }) => !allowInsecure && proxies.ranges.some(range => range.endsWith('/0')),
    'trusts every address, so any client can choose the address that its limits count. Name your proxy, or set ALLOW_INSECURE=1',
  ],
  [
    'SMTP_URL',
    ({ allowInsecure, mail: { smtpUrl = '' } }) =>
      !allowInsecure && /[?&](secure|requireTLS|ignoreTLS|tls\b)/i.test(smtpUrl),
    'changes how TLS is used, after its ?, so the password may travel without. Leave that out, or set ALLOW_INSECURE=1',
  ],
];

/** Without BASE_URL on an address that stands for all of them, nobody knows by which name visitors come. */
export const servesAnyHost = ({ baseUrl, host, production }: Config): boolean =>
  baseUrl === undefined && !production && isWildcard(host);

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

const RULES: Rules<Settings> = [
  [
    'TRUSTED_HOPS',
    ({ proxies }) => proxies.hops > 0 && proxies.ranges.length > 0,
    'set it or TRUSTED_PROXIES, not both',
  ],
  [
    'MAILGUN_DOMAIN',
    ({ mail: { mailgun } }) => (mailgun.key === undefined) !== (mailgun.domain === undefined),
    'goes together with MAILGUN_API_KEY',
  ],
  [
    'SMTP_URL',
    ({ mail }) => mail.smtpUrl !== undefined && mail.mailgun.key !== undefined,
    'set it or MAILGUN_API_KEY, not both',
  ],
  [
    'BRAND_FILE',
    ({ production, brandFile, baseUrl, startWithoutBrand }) =>
      production && !brandFile && !startWithoutBrand && baseUrl !== undefined && !isLoopback(new URL(baseUrl).host),
    'production needs your own profile: without it the bundled example would answer in your name',
  ],
  [
    'BASE_URL',
    ({ host, baseUrl }) => host.startsWith('unix:') && baseUrl === undefined,
    'is needed where HOST is a socket: no address can be told from it',
  ],
  ['MAIL_FROM', settings => hasMailer(settings.mail) && settings.mail.from === undefined, 'is needed to send mail'],
  ['MAIL_TO', settings => hasMailer(settings.mail) && settings.mail.to === undefined, 'is needed to send mail'],
];

const EXAMPLE_BRAND = fileURLToPath(import.meta.resolve('#package/examples/brand.json'));
const EXAMPLE_JWKS = fileURLToPath(import.meta.resolve('#package/examples/brand.jwks.json'));

function complete({ brandFile, brandJwks, answerFloor, embedding, encoder, mail, policies, ...settings }: Settings) {
  const { prefixes, ...transformer } = embedding;
  const { key, domain, url } = mail.mailgun;
  const { baseUrl, host, port } = settings;
  const { quota, windowSeconds } = policies.submissions;
  return {
    ...settings,
    policies: {
      ...policies,
      'submissions-network': { ...POLICIES['submissions-network'], quota: 10 * quota, windowSeconds },
    },
    /** Whose server it is, in each log line and metric: the host of the public address. */
    site: baseUrl === undefined ? `${host}:${port}` : new URL(baseUrl).host,
    isExample: brandFile === undefined,
    brandFile: brandFile ?? EXAMPLE_BRAND,
    brandJwks: brandJwks ?? (brandFile === undefined ? EXAMPLE_JWKS : undefined),
    floors: { match: answerFloor },
    embedding: {
      ...transformer,
      ...prefixes,
      encoder,
      cacheDirectory: join(settings.dataDirectory, 'models'),
    },
    mail: {
      from: mail.from ?? 'aval@localhost',
      to: mail.to ?? 'team@localhost',
      smtpUrl: mail.smtpUrl,
      smtpPlain: settings.allowInsecure,
      mailgun: key === undefined || domain === undefined ? undefined : { key, domain, url },
    },
  };
}

function valuesIn(environment: Environment, group: z.ZodObject = SETTINGS): object {
  const members = Object.entries(group.shape).map(([key, member]) => {
    const isGroup = member instanceof z.ZodObject;
    return [key, isGroup ? valuesIn(environment, member) : environment[VARIABLE_OF.get(member)?.name ?? '']];
  });
  return Object.fromEntries(members);
}

function variablesIn(group: z.ZodObject): Variable[] {
  return Object.values(group.shape).flatMap(member => {
    return member instanceof z.ZodObject ? variablesIn(member) : (VARIABLE_OF.get(member) ?? []);
  });
}

/** The variable of a place in the configuration, and which item of its list. */
function variableAt([key, ...rest]: readonly PropertyKey[], group: z.ZodObject = SETTINGS): string {
  const member = group.shape[String(key)];
  if (member instanceof z.ZodObject) return variableAt(rest, member);
  const item = rest.map(index => `, item ${Number(index) + 1}`).join('');
  return `${member && VARIABLE_OF.get(member)?.name}${item}`;
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(`The configuration cannot be used:\n${faults.map(fault => `  ${fault}`).join('\n')}`);
}
