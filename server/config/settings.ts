import { closestMatch } from 'leven';
import * as z from 'zod';
import { FEATURES } from '../../discovery/documents/site.ts';
import * as settingTypes from './setting-values.ts';

// This room reads the settings and writes the log. In: the environment (or an object of the same names).
// Out: a frozen `Config`, or one error that names every fault. To add a setting, add a row to SETTINGS below
// and a member to `complete` in config.ts; `npm run docs` writes .env.example.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The documentation of a setting. */
interface SettingDoc {
  /** The default, as in the environment. Empty if there is none, or if the words tell it. */
  readonly fallback: string;
  readonly words: string;
}

const SETTING_DOCS = z.registry<SettingDoc>();

/** A row of the table. A blank value counts as unset. */
function variable<Schema extends z.ZodType>(schema: Schema, words: string) {
  const fallback = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
  const setting = z
    .preprocess(value => String(value ?? '').trim() || undefined, schema)
    // The transform makes the member required in the type, so code that forgets one does not compile.
    .transform(value => value);
  SETTING_DOCS.add(setting, { fallback, words });
  return setting;
}

/** All settings by variable: check, default and meaning. */
export const SETTINGS = z.object({
  HOST: variable(settingTypes.text.prefault('127.0.0.1'), 'Address; 0.0.0.0 in a container.'),
  PORT: variable(settingTypes.whole(0, 65_535).prefault('8787'), 'Port; 0 takes a free one.'),
  BASE_URL: variable(
    settingTypes.origin.optional(),
    'Public origin, https://acme.example. Default: HOST and PORT.',
  ),
  ALLOW_INSECURE: variable(
    settingTypes.flag,
    '1: production accepts an http:// BASE_URL, TRUSTED_PROXIES of every address, and SMTP passwords ' +
      'sent without TLS.',
  ),
  NODE_ENV: variable(settingTypes.production, '`production` sends real mail; else mail becomes files.'),
  DRAIN_SECONDS: variable(
    settingTypes.whole(0, 600).prefault('0'),
    'Seconds of work after SIGTERM, while /readyz says 503.',
  ),
  BRAND_FILE: variable(
    settingTypes.path.optional(),
    'The profile; production needs it. Default: brand.json of the folder, else the bundled example.',
  ),
  BRAND_JWKS: variable(
    settingTypes.path.optional(),
    'Public keys (JWK set) that BRAND_FILE must be signed with.',
  ),
  START_WITHOUT_BRAND: variable(settingTypes.flag, '1: start without a usable profile; questions get 503.'),
  EMBEDDING_MODEL: variable(
    settingTypes.text.optional(),
    'Another model: its directory, or org/name, fetched from huggingface.co when it is missing.',
  ),
  ENCODER_THREADS: variable(
    settingTypes.whole(1, 64).optional(),
    'Threads of the encoder, 100 MB each. Default: cores minus one, at least one.',
  ),
  ALLOWED_HOSTS: variable(
    settingTypes.hosts,
    'Other names under which /mcp and the forms are reached: aval:8787, www.acme.example.',
  ),
  ALLOWED_ORIGINS: variable(
    settingTypes.origins,
    'Other origins whose pages may use /mcp and the forms: https://app.example, app://desktop-app; ' +
      '`null`: pages that hide theirs.',
  ),
  TRUSTED_PROXIES: variable(settingTypes.ranges, 'CIDR ranges of proxies whose X-Forwarded-For counts.'),
  TRUSTED_HOPS: variable(
    settingTypes.whole(0, 10).prefault('0'),
    'Or: the number of proxies in front, at any address.',
  ),
  DATA_DIR: variable(
    settingTypes.path.prefault('.aval'),
    'Directory of the database, on a permanent disk; processes of one machine share it.',
  ),
  DATABASE_URL: variable(
    settingTypes.databaseUrl.optional(),
    'Postgres, for several machines: postgres://user:password@host:5432/aval.',
  ),
  RETENTION_DAYS: variable(
    settingTypes.whole(1, 3650).prefault('30'),
    'Days after the last mail until a submission is deleted.',
  ),
  ASK_LOG: variable(
    settingTypes.oneOf(['off', 'on']).prefault('off'),
    '`on`: keep questions over HTTP as they come, for RETENTION_DAYS; aval asked lists them.',
  ),
  MAIL_FROM: variable(
    settingTypes.address.optional(),
    'Sender of every mail, at your domain: Acme <hola@mg.acme.example>.',
  ),
  MAIL_TO: variable(settingTypes.addresses.optional(), 'Addresses of the team, for submissions.'),
  MAILGUN_API_KEY: variable(settingTypes.text.optional(), 'Sends through Mailgun.'),
  MAILGUN_DOMAIN: variable(settingTypes.text.optional(), 'Sending domain at Mailgun.'),
  MAILGUN_URL: variable(
    settingTypes.webAddress.prefault('https://api.mailgun.net'),
    'https://api.eu.mailgun.net for the EU.',
  ),
  SMTP_URL: variable(
    settingTypes.smtpUrl.optional(),
    'Sends through SMTP: smtps://user:password@mail.acme.example.',
  ),
  WEBHOOK_URL: variable(
    settingTypes.webAddress.optional(),
    'Gets each submission beside the mail, as a signed POST (docs/webhook.md).',
  ),
  WEBHOOK_SECRET: variable(
    settingTypes.webhookSecret.optional(),
    'Signs what WEBHOOK_URL gets: whsec_ and 24 to 64 bytes in base64.',
  ),
  PUBLISH_OFF: variable(settingTypes.features, `What not to publish: ${FEATURES.join(', ')}.`),
  SECURITY_CONTACT: variable(
    settingTypes.contact.optional(),
    'mailto: or https: address; without one there is no security.txt.',
  ),
  LIMITS: variable(
    settingTypes.limits.prefault(settingTypes.DEFAULT_LIMITS),
    'QUOTA/SECONDS by policy; what is left out keeps its default. `default`: /ask, /api/v1/status, ' +
      '/mcp, /a2a, each. `submissions`: both forms. `actions`: MCP.',
  ),
  ADMIN_PORT: variable(
    settingTypes.whole(0, 65_535).optional(),
    'Port of /livez, /readyz and /metrics; keep it private. Default: none.',
  ),
  ADMIN_HOST: variable(settingTypes.text.prefault('127.0.0.1'), 'Address of the admin port.'),
});

/** The checked values by variable. */
export type Settings = z.infer<typeof SETTINGS>;

/** All variables, for documents and `aval serve --help`. */
export const VARIABLES = Object.entries(SETTINGS.shape).flatMap(([name, schema]) => {
  const doc = SETTING_DOCS.get(schema);
  return doc ? [{ name, ...doc }] : [];
});

/** The text of .env.example, and what `aval serve --help` prints: every setting with its default. */
export function envFile(): string {
  const rows = VARIABLES.map(({ name, fallback, words }) => `# ${words}\n#${name}=${fallback}\n`);
  return [ENV_FILE_HEAD, ...rows].join('\n');
}

const ENV_FILE_HEAD = [
  '# Lists are comma-separated. Write a value with # or spaces in double quotes:',
  '# without them Node cuts it at the #.',
  '# NAME_FILE=/path takes the value of NAME from a file, for secrets:',
  '# SMTP_URL_FILE=/run/secrets/smtp_url.',
  '',
].join('\n');

/**
 * Warnings for environment variables that look like a misspelt setting.
 * @example unknownSettings({ MAIL_FORM: 'x' }); // ['MAIL_FORM is no setting …; did you mean MAIL_FROM?']
 */
export function unknownSettings(environment: Environment): string[] {
  const names = VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`]);
  return Object.keys(environment).flatMap(variable => {
    const name = variable.replace(/^\uFEFF/, '');
    if (name.length < SHORTEST_COMPARED || names.includes(name)) return [];
    const closest = closestMatch(name, names, { maxDistance: MOST_WRONG });
    if (closest?.[0] !== name[0]) return [];
    return [`${name} is no setting and has no effect; did you mean ${closest}?`];
  });
}

/** Shorter names are not compared: HOME is two letters from HOST, but no misspelling. */
const SHORTEST_COMPARED = 6;

/** Letters that may differ: PROXY is three from PROXIES. */
const MOST_WRONG = 3;
