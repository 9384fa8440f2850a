import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddingSettings } from '../../brand/embedding/load-embedder.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import type { Publishing } from '../../discovery/documents/site.ts';
import type { FormSettings } from '../../rest/tool-route.ts';
import { POLICIES, type Policies } from '../../tools/policies.ts';
import { CheckedEnvironment, type Settings } from './environment.ts';

/** Which proxies may say, in X-Forwarded-For, on whose behalf they ask. */
export interface TrustedProxies {
  /** CIDR ranges. */
  readonly ranges: readonly string[];
  /** Or: how many proxies stand in front, whatever their address. */
  readonly hops: number;
}

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
