import { closestMatch } from 'leven';
import { type Environment, VARIABLES } from './config.ts';

/** Warns of each environment variable that looks like one of ours and has no effect. */
export function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment).flatMap(name => {
    const instead = GONE[name.replace(/_FILE$/, '')];
    if (instead !== undefined) return [`${name} has no effect any more: ${instead}`];
    const meant = meantBy(name);
    return meant === undefined ? [] : [`${name} is no setting and has no effect; did you mean ${meant}?`];
  });
}

/** The setting that an unknown name is nearest to. TRUSTED_PROXY means TRUSTED_PROXIES, LIMIT_ASK one of LIMIT_…. */
function meantBy(name: string): string | undefined {
  const known = VARIABLES.flatMap(one => [one.name, `${one.name}_FILE`]);
  if (name.length < SHORTEST_COMPARED || known.includes(name)) return undefined;
  const meant = closestMatch(name, known, { maxDistance: MOST_WRONG });
  if (meant?.[0] === name[0]) return meant;
  const [group] = OUR_PREFIXES.filter(prefix => name.startsWith(prefix));
  return group && known.filter(one => one.startsWith(group) && !one.endsWith('_FILE')).join(' or ');
}

/** HOME is two letters from HOST, but no misspelling. */
const SHORTEST_COMPARED = 6;

/** PROXY for PROXIES is three. */
const MOST_WRONG = 3;

/** No other program's variables begin like these. */
const OUR_PREFIXES = ['LIMIT_', 'TRUSTED_', 'BRAND_', 'ANSWER_', 'ASK_LOG', 'ENCODER_'];

/** Settings of earlier versions, and what to do instead. A start names each that is still set. */
const GONE: Readonly<Record<string, string>> = {
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
