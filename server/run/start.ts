import { once } from 'node:events';
import { chmod, rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Config, isWildcard } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { createListener, stop, type Timeouts } from '../http/listener.ts';
import { createService, type Parts } from './service.ts';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/**
 * Listens, and answers from a profile until another takes its place.
 * @param create makes what answers, once the address is known
 * @throws Error when the address cannot be listened on
 */
export async function startServer(
  parts: Parts & { readonly timeouts?: Partial<Timeouts> },
  create = (url: string) => createService(parts, url),
) {
  const { config, log, timeouts } = parts;
  const listener = createListener({
    // Requests that come before the service is built wait for it.
    handler: (request, response) => void service.then(({ handler }) => handler(request, response)),
    refusalHeaders: async (...refused) => (await service).refusalHeaders(...refused),
    timeouts: { ...(isProxied(config) && { keepAliveTimeout: PROXY_KEEP_ALIVE_MS }), ...timeouts },
  });
  tellFull(listener, log);
  const address = listen(listener, config);
  const service = address.then(create);
  const { use, fillDocuments, close } = await service.catch(async error => {
    if (listener.listening) await stop(listener, 0);
    throw error;
  });
  return {
    url: await address,
    use,
    fillDocuments,
    /** Goes on for `drainMs`, then finishes the requests under way, for at most `graceMs`. */
    async stop(graceMs: number, drainMs?: number) {
      await stop(listener, graceMs, drainMs);
      await close();
    },
  };
}

async function listen(server: Server, { port, host }: Config): Promise<string> {
  const path = host.startsWith('unix:') ? host.slice('unix:'.length) : undefined;
  if (path !== undefined) await removeStale(path);
  // A burst of connections waits here; what finds no room is sent again by the client's kernel a second later.
  server.listen(path === undefined ? { port, host, backlog: 4096 } : { path, backlog: 4096 });
  await once(server, 'listening');
  if (path === undefined) return addressOf(server.address());
  // The proxy is another user of the same group; who reaches the socket is decided by its directory.
  await chmod(path, 0o660);
  return host;
}

/** A process that was killed leaves its socket behind; one that is answered on belongs to another server. */
async function removeStale(path: string): Promise<void> {
  if (!(await stat(path).catch(() => undefined))?.isSocket()) return;
  const probe = connect(path);
  const isAnswered = await once(probe, 'connect').then(
    () => true,
    () => false,
  );
  probe.destroy();
  if (!isAnswered) await rm(path, { force: true });
}

/**
 * Longer than proxies keep an idle connection (nginx 60 s, AWS 60 s, Caddy 2 min, Google 10 min): where the server closes it
 * first, a form that is sent into it at that moment is answered 502, since no proxy may send a POST twice.
 */
const PROXY_KEEP_ALIVE_MS = 620_000;

const isProxied = ({ proxies: { ranges, hops } }: Config) => ranges.length > 0 || hops > 0;

/** Says when all connections are taken, and when there was room for a minute. Node drops what comes meanwhile. */
function tellFull(server: Server, log: Log): void {
  let sinceLast: NodeJS.Timeout | undefined;
  const hasRoom = () => {
    sinceLast = undefined;
    log('info', 'connections', { full: false });
  };
  server.on('drop', () => {
    if (sinceLast) return void sinceLast.refresh();
    sinceLast = setTimeout(hasRoom, 60_000).unref();
    const fix = 'bound the connections of one address in the proxy, as deploy/nginx.conf does';
    log('warn', 'connections', { full: true, effect: 'further connections are closed', fix });
  });
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port only');
  // Nobody can call a wildcard address: documents name the machine itself.
  const host = isWildcard(address.address) ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
