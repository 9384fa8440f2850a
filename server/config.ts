import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { EmbeddingSettings } from '../brand/load-embedder.ts';
import { BUNDLED_MODEL } from '../brand/parameters.ts';
import { DTYPES } from '../brand/transformer-embedder.ts';
import { FEATURES, type Feature } from '../discovery/features.ts';
import type { Publishing } from '../discovery/site.ts';
import type { FormSettings } from '../rest/tool-route.ts';
import { POLICIES, type Policies, type PolicyName } from '../tools/policies.ts';
import { isRange, type TrustedProxies } from './client-key.ts';

/** Every setting of the process, checked and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public origin without a trailing slash; `undefined`: the address that is listened on. */
  readonly baseUrl: string | undefined;
  readonly production: boolean;
  readonly brandFile: string;
  /** Public keys that the profile must be signed with. */
  readonly brandJwks: string | undefined;
  readonly startWithoutBrand: boolean;
  readonly embedding: EmbeddingSettings;
  readonly allowedOrigins: readonly string[];
  readonly proxies: TrustedProxies;
  readonly policies: Policies;
  /** Where several instances count together; `undefined`: this one counts for itself. */
  readonly sharedLimits: SharedLimits | undefined;
  /** Tells clients apart in counts and log; `undefined`: a random one for as long as the process runs. */
  readonly clientKeySecret: string | undefined;
  /** Reload the profile when its file changes, not on SIGHUP alone. */
  readonly brandWatch: boolean;
  readonly dataDirectory: string;
  readonly mail: MailConfig;
  readonly forms: FormSettings;
  readonly publishing: Publishing;
}

/** Limits that several instances keep together. */
export interface SharedLimits {
  readonly redisUrl: string;
  readonly instances: number;
  /** Refuse rather than count alone while Redis fails. */
  readonly strict: boolean;
}

/** How mail leaves; every member is there in production. */
export interface MailConfig {
  readonly from: string;
  readonly to: string;
  readonly mailgun: { readonly key: string; readonly domain: string; readonly url: string } | undefined;
  readonly smtpUrl: string | undefined;
}

const EXAMPLE_BRAND = fileURLToPath(import.meta.resolve('#package/examples/brand.json'));
const EXAMPLE_JWKS = fileURLToPath(import.meta.resolve('#package/examples/brand.jwks.json'));

const list = z
  .string()
  .default('')
  .transform(value => value.split(',').map(item => item.trim()))
  .transform(items => items.filter(item => item !== ''));

const flag = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform(value => value === '1');

const whole = (min: number, max: number) =>
  z.coerce
    .number({ error: rule(min, max) })
    .int(rule(min, max))
    .min(min, rule(min, max))
    .max(max, rule(min, max));

const rule = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;

const limit = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, 'must be QUOTA/SECONDS, for example 60/60')
  .transform(value => value.split('/').map(Number))
  .transform(([quota = 0, windowSeconds = 0]) => ({ quota, windowSeconds }));

const optional = z.string().optional();

const address = z
  .string()
  .regex(
    /^[^\s@<>]+@[^\s@<>,]+$|^[^<>@]+<[^\s@<>]+@[^\s@<>,]+>$/,
    'must be an address, for example Acme <hola@mg.acme.example>',
  );

const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' });

const redisUrl = z.url({ protocol: /^rediss?$/, error: 'must be redis://… or rediss://…' });

const secret = z.string().min(32, 'must have 32 characters or more: openssl rand -hex 32 prints a good one');

const origin = z
  .url({
    protocol: /^https?$/,
    error: 'must be an http or https address, for example https://acme.example',
    abort: true,
  })
  .refine(value => new URL(value).pathname === '/' && !/[?#]/.test(value), 'must be an origin, without a path')
  .transform(value => new URL(value).origin);

const origins = list.pipe(z.array(origin));
const features = list
  .pipe(z.array(z.enum(FEATURES, { error: `must be of ${FEATURES.join(', ')}` })))
  .transform((names): ReadonlySet<Feature> => new Set(names));

const contentSignal = z
  .string()
  .regex(
    /^(search|ai-input|ai-train)=(yes|no)(, *(search|ai-input|ai-train)=(yes|no))*$/,
    'must be of search=, ai-input= and ai-train=, each yes or no',
  );

const contact = z.url({ protocol: /^(https|mailto)$/, error: 'must be mailto:… or https://…' });

const registryAuth = z
  .string()
  .regex(/^v=MCPv1; k=(ed25519|ecdsap384); p=[A-Za-z0-9+/]+=*$/, 'must be the line that aval registry --auth prints');

const ranges = list.pipe(z.array(z.string().refine(isRange, 'must be CIDR ranges, for example 10.0.0.0/8')));

/** One variable of the environment; unset and empty mean the same. */
function variable<Schema extends z.ZodType>(fallback: string, description: string, schema: Schema) {
  return z
    .preprocess(value => String(value ?? '').trim() || fallback || undefined, schema)
    .meta({ fallback, description });
}

function limitVariable(policy: PolicyName, description: string) {
  const { quota, windowSeconds } = POLICIES[policy];
  return variable(`${quota}/${windowSeconds}`, `${description} QUOTA/SECONDS.`, limit);
}

/** Default, meaning and check of every variable: the one place that knows their names. */
const Environment = z.object({
  HOST: variable('127.0.0.1', 'Address to listen on; 0.0.0.0 in a container or behind a proxy.', z.string()),
  PORT: variable('8787', 'Port to listen on; 0 takes a free one.', whole(0, 65_535)),
  BASE_URL: variable('', 'Public origin, e.g. https://acme.example. Default: HOST and PORT.', origin.optional()),
  NODE_ENV: variable('development', '`production` ends every dry run.', z.string()),
  BRAND_FILE: variable('', 'The brand profile to serve. Default: the bundled example.', z.string().optional()),
  BRAND_JWKS: variable('', 'Public keys (JWK set) that BRAND_FILE must be signed with.', z.string().optional()),
  BRAND_WATCH: variable('0', '1: reload the profile when its file changes, not on SIGHUP alone.', flag),
  START_WITHOUT_BRAND: variable('0', '1: start even when the profile cannot be loaded; questions get 503.', flag),
  EMBEDDING_MODEL: variable(
    '',
    'Directory of a Model2Vec or transformer model, or a transformer of huggingface.co: org/name. Default: the bundled model.',
    optional,
  ),
  EMBEDDING_DOWNLOAD: variable('0', '1: fetch a model of huggingface.co that is not there yet.', flag),
  EMBEDDING_CACHE: variable('', 'Directory of downloaded models. Default: models in DATA_DIR.', optional),
  EMBEDDING_DTYPE: variable(
    '',
    `Precision of a transformer: ${DTYPES.join(', ')}. Default: the first of them that the model has.`,
    z.enum(DTYPES, { error: `must be one of ${DTYPES.join(', ')}` }).optional(),
  ),
  EMBEDDING_QUERY_PREFIX: variable(
    '',
    'What a transformer wants before a question, e.g. query: for e5.',
    z.string().default(''),
  ),
  EMBEDDING_TEXT_PREFIX: variable('', 'What it wants before a text, e.g. passage: for e5.', z.string().default('')),
  ALLOWED_ORIGINS: variable('', 'Further origins whose pages may use /mcp and the forms, comma-separated.', origins),
  TRUSTED_PROXIES: variable('', 'CIDR ranges of proxies whose X-Forwarded-For is believed, comma-separated.', ranges),
  TRUSTED_HOPS: variable('0', 'Or: how many proxies stand in front, whatever their address.', whole(0, 10)),
  DATA_DIR: variable(
    '.aval',
    'Directory of the journal of submissions, one a process; keep it on a disk that stays.',
    z.string(),
  ),
  MAIL_FROM: variable('', 'Sender of every mail, of your own domain: Acme <hola@mg.acme.example>.', address.optional()),
  MAIL_TO: variable('', 'The address of the team that submissions go to.', address.optional()),
  MAILGUN_API_KEY: variable('', 'Sends through Mailgun.', optional),
  MAILGUN_DOMAIN: variable('', 'Sending domain at Mailgun.', optional),
  MAILGUN_URL: variable('https://api.mailgun.net', 'https://api.eu.mailgun.net for the EU.', z.url()),
  SMTP_URL: variable('', 'Sends through SMTP instead: smtps://user:password@mail.acme.example.', smtpUrl.optional()),
  FORM_THANKS_URL: variable('', 'Page a browser is sent to after a plain form post.', z.url().optional()),
  FORM_HONEYPOT: variable(
    '',
    'A hidden form field that people leave empty; a filled one marks the mail as suspect.',
    optional,
  ),
  PUBLISH_OFF: variable('', `What not to publish, comma-separated, of ${FEATURES.join(', ')}.`, features),
  CONTENT_SIGNAL: variable(
    'search=yes, ai-input=yes, ai-train=no',
    'What robots.txt allows with the content (contentsignals.org).',
    contentSignal,
  ),
  SECURITY_CONTACT: variable(
    '',
    'mailto: or https: address for security.txt; without one there is none.',
    contact.optional(),
  ),
  MCP_REGISTRY_AUTH: variable(
    '',
    'Proof of the domain for the MCP registry, as aval registry --auth prints it.',
    registryAuth.optional(),
  ),
  LIMIT_DEFAULT: limitVariable('default', 'Limit of /ask, /api/v1/status, /mcp and /a2a, each counted apart.'),
  LIMIT_SUBMISSIONS: limitVariable('submissions', 'Limit of the two forms together.'),
  LIMIT_ACTIONS: limitVariable('actions', 'Limit of submissions over MCP.'),
  LIMIT_ACTIONS_SERVICE: limitVariable('actions-service', 'The same for all clients together.'),
  REDIS_URL: variable(
    '',
    'Redis or Valkey that several instances count the limits in, a database of its own: redis://:password@host:6379/1.',
    redisUrl.optional(),
  ),
  CLIENT_KEY_SECRET: variable(
    '',
    'Secret that turns client addresses into keys, the same for all instances; needed with REDIS_URL.',
    secret.optional(),
  ),
  INSTANCES: variable(
    '1',
    'How many share REDIS_URL: each counts its part of a limit while Redis fails.',
    whole(1, 1000),
  ),
  LIMITS_STRICT: variable('0', '1: while Redis fails, refuse with 429 and Retry-After 30 instead.', flag),
});

type Settings = z.infer<typeof Environment>;

/** Rules between variables: which one is at fault, when, and what to do. */
const RULES: readonly [name: keyof Settings, isBroken: (env: Settings) => boolean, fix: string][] = [
  [
    'TRUSTED_HOPS',
    env => env.TRUSTED_HOPS > 0 && env.TRUSTED_PROXIES.length > 0,
    'set it or TRUSTED_PROXIES, not both',
  ],
  [
    'MAILGUN_DOMAIN',
    env => hasText(env.MAILGUN_API_KEY) !== hasText(env.MAILGUN_DOMAIN),
    'goes together with MAILGUN_API_KEY',
  ],
  ['SMTP_URL', env => hasText(env.SMTP_URL) && hasText(env.MAILGUN_API_KEY), 'set it or MAILGUN_API_KEY, not both'],
  [
    'SMTP_URL',
    env => isProduction(env) && !sendsMail(env),
    'production needs a way to send mail: set it, or MAILGUN_API_KEY and MAILGUN_DOMAIN',
  ],
  [
    'CLIENT_KEY_SECRET',
    env => hasText(env.REDIS_URL) && !hasText(env.CLIENT_KEY_SECRET),
    'is needed with REDIS_URL, the same for all instances',
  ],
  ['MAIL_FROM', env => (isProduction(env) || sendsMail(env)) && !hasText(env.MAIL_FROM), 'is needed to send mail'],
  ['MAIL_TO', env => (isProduction(env) || sendsMail(env)) && !hasText(env.MAIL_TO), 'is needed to send mail'],
];

const hasText = (value: string | undefined) => value !== undefined;
const isProduction = (env: Settings) => env.NODE_ENV === 'production';
const sendsMail = (env: Settings) => hasText(env.SMTP_URL) || hasText(env.MAILGUN_API_KEY);

const CheckedEnvironment = Environment.superRefine((env, context) => {
  for (const [name, isBroken, message] of RULES) {
    if (isBroken(env)) context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** Every variable as README, `aval --help` and .env.example list it. */
export const VARIABLES = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  fallback: String(schema.meta()?.fallback ?? ''),
  description: String(schema.meta()?.description ?? ''),
}));

/** All faults of the environment at once, one line each. */
export class ConfigError extends Error {}

/**
 * Reads the only settings there are.
 * @throws ConfigError naming every wrong variable with its rule
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const result = CheckedEnvironment.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new ConfigError(`The configuration cannot be used:\n${lines.join('\n')}`);
  }
  const env = result.data;
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL,
    production: env.NODE_ENV === 'production',
    brandFile: env.BRAND_FILE ?? EXAMPLE_BRAND,
    brandJwks: env.BRAND_JWKS ?? (env.BRAND_FILE === undefined ? EXAMPLE_JWKS : undefined),
    startWithoutBrand: env.START_WITHOUT_BRAND,
    embedding: embeddingSettings(env),
    brandWatch: env.BRAND_WATCH,
    dataDirectory: env.DATA_DIR,
    mail: mailConfig(env),
    forms: { thanksUrl: env.FORM_THANKS_URL, honeypot: env.FORM_HONEYPOT },
    publishing: {
      off: env.PUBLISH_OFF,
      contentSignal: env.CONTENT_SIGNAL,
      securityContact: env.SECURITY_CONTACT,
      registryAuth: env.MCP_REGISTRY_AUTH,
    },
    allowedOrigins: env.ALLOWED_ORIGINS,
    proxies: { ranges: env.TRUSTED_PROXIES, hops: env.TRUSTED_HOPS },
    policies: {
      default: { ...POLICIES.default, ...env.LIMIT_DEFAULT },
      submissions: { ...POLICIES.submissions, ...env.LIMIT_SUBMISSIONS },
      actions: { ...POLICIES.actions, ...env.LIMIT_ACTIONS },
      'actions-service': { ...POLICIES['actions-service'], ...env.LIMIT_ACTIONS_SERVICE },
    },
    sharedLimits: sharedLimits(env),
    clientKeySecret: env.CLIENT_KEY_SECRET,
  });
}

function embeddingSettings(env: Settings): EmbeddingSettings {
  return {
    model: env.EMBEDDING_MODEL ?? BUNDLED_MODEL,
    download: env.EMBEDDING_DOWNLOAD,
    cacheDirectory: env.EMBEDDING_CACHE ?? join(env.DATA_DIR, 'models'),
    dtype: env.EMBEDDING_DTYPE,
    queryPrefix: env.EMBEDDING_QUERY_PREFIX,
    textPrefix: env.EMBEDDING_TEXT_PREFIX,
  };
}

function sharedLimits({ REDIS_URL: redisUrl, INSTANCES: instances, LIMITS_STRICT: strict }: Settings) {
  return redisUrl === undefined ? undefined : { redisUrl, instances, strict };
}

function mailConfig(env: Settings): MailConfig {
  const { MAILGUN_API_KEY: key, MAILGUN_DOMAIN: domain, MAILGUN_URL: url } = env;
  return {
    from: env.MAIL_FROM ?? 'Aval <aval@localhost>',
    to: env.MAIL_TO ?? 'team@localhost',
    mailgun: key !== undefined && domain !== undefined ? { key, domain, url } : undefined,
    smtpUrl: env.SMTP_URL,
  };
}
