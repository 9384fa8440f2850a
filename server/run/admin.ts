import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { createHealth, type Health } from './health.ts';
import { addressOf, listenFault } from './listen.ts';
import type { Metrics, Observed } from './metrics.ts';

export type AdminServer = Awaited<ReturnType<typeof openAdmin>>;

/**
 * Opens the admin port: `/livez`, `/readyz` and `/metrics` for the operator's network.
 * @returns `log`, which also feeds health and metrics; `ready`, to be called after the start
 * @throws Error if the port cannot be listened on
 */
export async function openAdmin({ port = 0, host }: Config['admin'], log: Log, observed: Observed) {
  // Without an admin port its package is not loaded.
  const { createMetrics } = await import('./metrics.ts');
  const metrics = createMetrics(observed);
  const health = createHealth(observed);
  const observedLog: Log = (...line) => {
    log(...line);
    metrics.follow(...line);
    health.follow(...line);
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const { status, type, body } = await pageOf(path, health, metrics).catch(() => UNREADABLE);
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  server.maxConnections = 64;
  server.listen(port, host);
  await once(server, 'listening').catch(error => {
    throw listenFault(error, { host, port }, 'ADMIN_');
  });
  return {
    url: addressOf(server.address()),
    log: observedLog,
    ready: health.started,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A metric that throws must not end the process. */
const UNREADABLE = { status: 500, type: 'text/plain', body: 'could not be read\n' };

async function pageOf(path: string, health: Health, metrics: Metrics) {
  switch (path) {
    case '/livez':
      return { status: 200, type: 'text/plain', body: 'ok\n' };
    case '/readyz': {
      const report = await health.report();
      const body = `${JSON.stringify(report, null, 2)}\n`;
      return { status: report.ready ? 200 : 503, type: 'application/json', body };
    }
    case '/metrics':
      return { status: 200, type: metrics.contentType, body: await metrics.text() };
    default:
      return { status: 404, type: 'text/plain', body: '/livez /readyz /metrics\n' };
  }
}
