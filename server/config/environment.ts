import * as z from 'zod';
import { DTYPES } from '../../brand/embedding/transformer-embedder.ts';
import { FEATURES } from '../../discovery/documents/site.ts';
import { POLICIES, type PolicyName } from '../../tools/policies.ts';
import {
  address,
  contact,
  contentSignal,
  features,
  flag,
  limit,
  optional,
  origin,
  origins,
  ranges,
  redisUrl,
  registryAuth,
  secret,
  smtpUrl,
  webAddress,
  whole,
} from './setting.ts';

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
  MAILGUN_URL: variable('https://api.mailgun.net', 'https://api.eu.mailgun.net for the EU.', webAddress),
  SMTP_URL: variable('', 'Sends through SMTP instead: smtps://user:password@mail.acme.example.', smtpUrl.optional()),
  FORM_THANKS_URL: variable('', 'Page a browser is sent to after a plain form post.', webAddress.optional()),
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

/** The environment as checked values, by the names of the variables. */
export type Settings = z.infer<typeof Environment>;

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

/** The environment with its rules. */
export const CheckedEnvironment = Environment.superRefine((env, context) => {
  for (const [name, isBroken, message] of RULES) {
    if (isBroken(env)) context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** Every variable as README, `aval variables` and .env.example list it. */
export const VARIABLES = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  fallback: String(schema.meta()?.fallback ?? ''),
  description: String(schema.meta()?.description ?? ''),
}));
