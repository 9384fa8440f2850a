import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { Profile } from '../../brand/profile/schema.ts';
import type { Mode } from '../../tools/deliver.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Database } from '../outbox/sql.ts';
import { countOverdue, countStates, oldestPendingMs } from '../outbox/stored-submission.ts';
import { requireKnown } from '../outbox/tables.ts';
import { createHealth, freeBytes, type Health } from './health.ts';
import { addressOf, listenFault } from './listen.ts';
import type { Metrics } from './metrics.ts';

interface ObservedParts {
  readonly database: Database;
  readonly mode: Mode;
  readonly profile: () => Profile | undefined;
}

/**
 * Opens the admin port with health and metrics, whose code only this loads.
 * @returns `log`, which also feeds health and metrics; `onAnswer`, which counts an answer
 * @throws Error if the port cannot be listened on
 */
export async function observe(config: Config, log: Log, { database, mode, profile }: ObservedParts) {
  const { createMetrics } = await import('./metrics.ts');
  const { port = 0, host } = config.admin;
  const readings = {
    now: Date.now,
    diskFree: () => freeBytes(config.dataDirectory),
    profileExpiresMs() {
      const currentProfile = profile();
      return currentProfile && Date.parse(currentProfile.expires_at);
    },
    async submissions() {
      const byState = await countStates(database, mode);
      byState.set('overdue', await countOverdue(database, Date.now()));
      return {
        byState,
        oldestPendingMs: await oldestPendingMs(database, 'team', mode),
        oldestWebhookMs: await oldestPendingMs(database, 'webhook', mode),
      };
    },
  };
  const metrics = createMetrics(readings, config.site);
  const health = createHealth({
    ...readings,
    store: () => requireKnown(database.query),
    dataDirectory: config.databaseUrl === undefined ? config.dataDirectory : undefined,
  });
  const server = await startAdmin({ host, port, health, metrics });
  const observedLog: Log = (...line) => {
    log(...line);
    metrics.follow(...line);
    health.follow(...line);
  };
  return { ...server, log: observedLog, onAnswer: metrics.answered };
}

export type AdminServer = Awaited<ReturnType<typeof observe>>;

interface AdminParts {
  readonly host: string;
  readonly port: number;
  readonly health: Health;
  readonly metrics: Metrics;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` to the operator's network, on a second port.
 * @throws Error when the address cannot be listened on
 */
export async function startAdmin({ host, port, health, metrics }: AdminParts) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, answer({ health, metrics }));
  server.maxConnections = 64;
  server.listen(port, host);
  await once(server, 'listening').catch(error => {
    throw listenFault(error, { host, port }, 'ADMIN_');
  });
  return {
    url: addressOf(server.address()),
    /** Call it after the start: until then `/readyz` says that the server is starting. */
    ready: health.started,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const PATHS = ['/livez', '/readyz', '/metrics'];

function answer(parts: Pick<AdminParts, 'health' | 'metrics'>): RequestListener {
  return async (request, response) => {
    const { status, type, body } = await pageFor(request, parts).catch(() =>
      plain(500, 'could not be read; the log says why'),
    );
    const allow = status === 405 && { allow: 'GET, HEAD' };
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...allow }).end(body);
  };
}

async function pageFor(
  { url = '', method = '', headers }: IncomingMessage,
  { health, metrics }: Pick<AdminParts, 'health' | 'metrics'>,
): Promise<Page> {
  const [path = ''] = url.split('?', 1);
  if (!isInternal(headers.host ?? ''))
    return plain(403, 'ask by address, or by a name of the internal network');
  if (!PATHS.includes(path)) return plain(404, PATHS.join(' '));
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'ask with GET');
  if (path === '/livez') return plain(200, 'ok');
  if (path === '/metrics') return { status: 200, type: metrics.contentType, body: await metrics.text() };
  const report = await health.report();
  const body = `${JSON.stringify(report, null, 2)}\n`;
  return { status: report.ready ? 200 : 503, type: 'application/json', body };
}

const plain = (status: number, line: string): Page => ({ status, type: 'text/plain', body: `${line}\n` });

/**
 * Whether no page of the internet can have this Host: with DNS rebinding a page would send its own name.
 * Pages cannot have addresses, names without a dot, or names of private networks.
 */
function isInternal(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  const isAddress = /^[\d.]+$|^\[[\da-f:.]+\]$/.test(name);
  return isAddress || !name.includes('.') || PRIVATE_SUFFIX.test(name);
}

/** `aval.internal`, `aval.default.svc`, `printer.lan`. */
const PRIVATE_SUFFIX = /\.(?:localhost|local|internal|lan|svc)$/;
