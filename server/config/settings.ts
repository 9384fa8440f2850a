import * as z from 'zod';
import { ENCODER_USES } from '../../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { FLOORS } from '../../brand/retrieval/similarity.ts';
import { FEATURES } from '../../discovery/documents/site.ts';
import * as is from './setting-values.ts';

/** How a setting is called in the environment, its default as one would write it there, and what it means. */
export interface Variable {
  readonly name: string;
  /** Empty where there is none, or where the words tell. */
  readonly fallback: string;
  readonly words: string;
}

export const VARIABLE_OF = z.registry<Variable>();

/** A row of the table. Unset and blank are the same; the default is what the schema takes in place of nothing. */
function variable<Schema extends z.ZodType>(name: string, schema: Schema, words: string) {
  const fallback = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
  const setting = z.preprocess(given => String(given ?? '').trim() || undefined, schema).transform(value => value); // An optional value, not an optional member: code that forgets one does not compile.
  VARIABLE_OF.add(setting, { name, fallback, words });
  return setting;
}

const MODEL = 'Directory of a model, or org/name of huggingface.co. Default: the bundled one.';

/** Every setting by its place in the configuration, with its variable, check, default and meaning. */
// biome-ignore format: a table, a setting a line
export const SETTINGS = z.object({
  host: variable('HOST', is.host.prefault('127.0.0.1'), 'Address; 0.0.0.0 in a container, or unix:/run/aval/aval.sock.'),
  port: variable('PORT', is.whole(0, 65_535).prefault('8787'), 'Port; 0 takes a free one.'),
  baseUrl: variable('BASE_URL', is.origin.optional(), 'Public origin, https://acme.example. Default: HOST and PORT.'),
  allowInsecure: variable('ALLOW_INSECURE', is.flag, '1: production accepts an http:// BASE_URL, TRUSTED_PROXIES of every address, and SMTP passwords sent without TLS.'),
  production: variable('NODE_ENV', is.production, '`production` sends real mail; else mail becomes files.'),
  logFormat: variable('LOG_FORMAT', is.oneOf(['json', 'text']).optional(), 'json or text. Default: text on a terminal, else json.'),
  drainSeconds: variable('DRAIN_SECONDS', is.whole(0, 600).prefault('0'), 'Seconds of work after SIGTERM, while /readyz says 503.'),
  brandFile: variable('BRAND_FILE', is.path.optional(), 'The profile; production needs it. Default: brand.json of the folder, else the bundled example.'),
  brandJwks: variable('BRAND_JWKS', is.path.optional(), 'Public keys (JWK set) that BRAND_FILE must be signed with.'),
  startWithoutBrand: variable('START_WITHOUT_BRAND', is.flag, '1: start without a usable profile; questions get 503.'),
  answerFloor: variable('ANSWER_FLOOR', is.share.optional(), `Lowest similarity of a match, 0 to 1. 0: always the five nearest. Default: ${FLOORS.match}; 0 for a model without calibration.`),
  embedding: z.object({
    model: variable('EMBEDDING_MODEL', is.text.default(BUNDLED_MODEL), MODEL),
    download: variable('EMBEDDING_DOWNLOAD', is.flag, '1: fetch a missing model from huggingface.co.'),
    prefixes: variable('EMBEDDING_PREFIXES', is.prefixes, 'Words before a question and before a text, e.g. query:, passage: for e5.'),
  }),
  encoder: z.object({
    use: variable('ENCODER', is.oneOf(ENCODER_USES).prefault('auto'), '`auto`: the encoder helps where onnxruntime-node is installed. `on`: no start without it. `off`: the table alone.'),
    threads: variable('ENCODER_THREADS', is.whole(1, 64).optional(), 'Threads of the encoder, 100 MB each. Default: cores minus one, at least one.'),
  }),
  allowedOrigins: variable('ALLOWED_ORIGINS', is.origins, 'Other origins whose pages may use /mcp and the forms.'),
  proxies: z.object({
    ranges: variable('TRUSTED_PROXIES', is.ranges, 'CIDR ranges of proxies whose X-Forwarded-For counts.'),
    hops: variable('TRUSTED_HOPS', is.whole(0, 10).prefault('0'), 'Or: the number of proxies in front, at any address.'),
  }),
  dataDirectory: variable('DATA_DIR', is.path.prefault('.aval'), 'Directory of the database, on a permanent disk; processes of one machine share it.'),
  databaseUrl: variable('DATABASE_URL', is.databaseUrl.optional(), 'Postgres, for several machines: postgres://user:password@host:5432/aval.'),
  retentionDays: variable('RETENTION_DAYS', is.whole(1, 3650).prefault('30'), 'Days after the last mail until the fields of a submission are erased; the rest as many days later.'),
  keepAsked: variable('ASK_LOG', is.oneOf(['off', 'redacted', 'full']).prefault('off'), '`redacted`: keep questions over HTTP for aval asked, personal data removed where found. `full`: as they come.'),
  mail: z.object({
    from: variable('MAIL_FROM', is.address.optional(), 'Sender of every mail, at your domain: Acme <hola@mg.acme.example>.'),
    to: variable('MAIL_TO', is.addresses.optional(), 'Addresses of the team, for submissions.'),
    mailgun: z.object({
      key: variable('MAILGUN_API_KEY', is.text.optional(), 'Sends through Mailgun.'),
      domain: variable('MAILGUN_DOMAIN', is.text.optional(), 'Sending domain at Mailgun.'),
      url: variable('MAILGUN_URL', is.webAddress.prefault('https://api.mailgun.net'), 'https://api.eu.mailgun.net for the EU.'),
    }),
    smtpUrl: variable('SMTP_URL', is.smtpUrl.optional(), 'Sends through SMTP: smtps://user:password@mail.acme.example.'),
  }),
  forms: z.object({
    privacyUrl: variable('PRIVACY_URL', is.plainAddress.optional(), 'Privacy policy: forms link to it and ask for consent. Default: privacy_policy_url in the profile.'),
    honeypot: variable('FORM_HONEYPOT', is.text.optional(), 'Another hidden form field; filled in, it marks the mail as suspect.'),
  }),
  publishing: z.object({
    off: variable('PUBLISH_OFF', is.features, `What not to publish: ${FEATURES.join(', ')}.`),
    contentSignal: variable('CONTENT_SIGNAL', is.contentSignal, 'What robots.txt allows (contentsignals.org).'),
    securityContact: variable('SECURITY_CONTACT', is.contact.optional(), 'mailto: or https: address; without one there is no security.txt.'),
  }),
  policies: z.object({
    default: variable('LIMIT_DEFAULT', is.limit('default'), 'QUOTA/SECONDS of /ask, /api/v1/status, /mcp and /a2a, counted apart.'),
    submissions: variable('LIMIT_SUBMISSIONS', is.limit('submissions'), 'Limit of both forms together; an IPv6 /48 has ten times as many.'),
    actions: variable('LIMIT_ACTIONS', is.limit('actions'), 'Limit of submissions over MCP.'),
    'actions-service': variable('LIMIT_ACTIONS_SERVICE', is.limit('actions-service'), 'The same, all clients together.'),
  }),
  admin: z.object({
    port: variable('ADMIN_PORT', is.whole(0, 65_535).optional(), 'Port of /livez, /readyz and /metrics; keep it private. Default: none.'),
    host: variable('ADMIN_HOST', is.text.prefault('127.0.0.1'), 'Address of the admin port.'),
  }),
});

/** Settings of earlier versions, and what to do instead. A start names each that is still set. */
export const GONE: Readonly<Record<string, string>> = {
  BRAND_WATCH: 'systemctl reload aval after a change',
  ANSWER_SOME_FLOOR: 'ANSWER_FLOOR=0 gives the five nearest, whatever the chance that any answers',
  ASK_LOG_DAYS: 'questions are kept for RETENTION_DAYS',
  EMBEDDING_CACHE: 'models are kept in DATA_DIR/models',
  EMBEDDING_DTYPE: 'the first precision that the model has is taken',
  EMBEDDING_QUERY_PREFIX: 'EMBEDDING_PREFIXES=query:, passage:',
  EMBEDDING_TEXT_PREFIX: 'EMBEDDING_PREFIXES=query:, passage:',
  SMTP_PLAIN: 'ALLOW_INSECURE=1 sends the password without TLS',
  MCP_REGISTRY_AUTH: 'let the proxy in front serve /.well-known/mcp-registry-auth',
  EXPIRED_PROFILE: 'an expired profile is never answered from: aval sign --renew 1y brand.json',
  FORM_THANKS_URL: 'give the form a field _next with the address',
  LIMIT_SUBMISSIONS_NETWORK: 'a network has ten times LIMIT_SUBMISSIONS',
  LOG_LEVEL: 'filter the lines by their level',
  REDIS_URL: 'limits live in the database now: set DATABASE_URL',
  INSTANCES: 'instances of one DATABASE_URL share all limits',
  LIMITS_STRICT: 'while the database fails each process counts alone',
  CLIENT_KEY_SECRET: 'the database keeps the secret',
  ALARM_URL: 'let Prometheus watch ADMIN_PORT with deploy/alerts.yml',
  ALARM_SECRET: 'let Prometheus watch ADMIN_PORT with deploy/alerts.yml',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Aval makes no traces: the log has a line for each request',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'Aval makes no traces: the log has a line for each request',
};
