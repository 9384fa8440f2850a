import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { type Config, isWildcard } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery, MINUTE_MS } from '../config/timing.ts';
import { createListener, type ListenerOptions, type Timeouts } from '../http/listener.ts';

/** How long open requests may go on at a stop: longer than the slowest delivery. */
const GRACE_MS = 13_000;

/**
 * Longer than proxies keep an idle connection (nginx 60 s, AWS 60 s, Caddy 2 min, Google 10 min). If the
 * server closed it first, a form sent at that moment would get 502, since no proxy may send a POST twice.
 */
const PROXY_KEEP_ALIVE_MS = 620_000;

/** Connections that wait to be accepted. A client's kernel tries again after a second if there is no room. */
const BACKLOG = 4096;

interface ListenOptions extends Omit<ListenerOptions, 'timeouts'> {
  readonly timeouts: Partial<Timeouts> | undefined;
  readonly log: Log;
}

/**
 * Listens on HOST and PORT.
 * @returns the address, and `stop`, which gives open requests until a time of `performance.now()`
 * @throws Error with the next step if the address cannot be listened on
 */
export async function listen(config: Config, { log, timeouts, ...options }: ListenOptions) {
  const { port, host, proxies } = config;
  const isProxied = proxies.ranges.length > 0 || proxies.hops > 0;
  const keepAlive = isProxied ? { keepAliveTimeout: PROXY_KEEP_ALIVE_MS } : {};
  const server = createListener({ ...options, timeouts: { ...keepAlive, ...timeouts } });
  const fix = 'bound the connections of one address in the proxy, as deploy/nginx.conf does';
  const effect = 'all are taken, and further ones are closed';
  const logFull = () => log('warn', 'connections', { effect, fix });
  server.on(
    'drop',
    atMostEvery(MINUTE_MS, () => performance.now(), logFull),
  );
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening').catch(error => {
    throw listenFault(error, config);
  });
  return {
    url: addressOf(server.address()),
    stop: (deadlineMs: number, drainMs: number) =>
      stop(server, Math.min(GRACE_MS, deadlineMs - performance.now()), drainMs),
  };
}

/**
 * Stops a server: works on for `drainMs`, accepts no more connections, lets open requests finish, and cuts
 * off the rest after `graceMs`.
 *
 * A request is lost if a proxy sends it while its socket closes, since no proxy may send a POST twice. So
 * with a drain, connections stay reusable until the listening socket is closed, and idle ones a little
 * longer: the proxy uses each up with one more request, whose answer has `Connection: close`.
 */
async function stop(server: Server, graceMs: number, drainMs: number): Promise<void> {
  await wait(drainMs);
  if (drainMs > 0) await allAccepted(server);
  const lingerMs = drainMs > 0 ? LINGER_MS : 0;
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Not the method of node:http, which closes idle connections at once.
  const closed = new Promise(resolve => NetServer.prototype.close.call(server, resolve));
  const begunMs = performance.now();
  const closeIdle = () => {
    if (performance.now() - begunMs >= lingerMs) server.closeIdleConnections();
  };
  // A timer runs before sockets are read. `setImmediate` runs after, so no connection with an unread form
  // closes.
  const idle = setInterval(() => void setImmediate().then(closeIdle), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

/** nginx with thirty forms a second uses up its idle connections within one second. */
const LINGER_MS = 3000;

/**
 * Resolves after a turn of the event loop that accepted no connection, or after three seconds. None waits to be
 * accepted then; closing the listening socket would reset it, with the form that was sent into it.
 */
async function allAccepted(server: Server): Promise<void> {
  let hasAccepted = true;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  for (const endMs = performance.now() + LINGER_MS; hasAccepted && performance.now() < endMs; ) {
    hasAccepted = false;
    await setImmediate();
  }
  server.off('connection', onConnection);
}

/** The address at which a server answers. */
export function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port only');
  // Nobody can call a wildcard address, so documents name the loopback address.
  const host = isWildcard(address.address) ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Why the address cannot be listened on, with the next step. */
export function listenFault(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  prefix: '' | 'ADMIN_' = '',
): Error {
  const fix = LISTEN_FIXES[error.code ?? ''];
  if (fix === undefined) return error;
  const settings = `${prefix}HOST, ${prefix}PORT`;
  return new Error(`${settings}: ${host}:${port} ${fix}`, { cause: error });
}

const LISTEN_FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or take another port',
  EACCES: 'is not for this user: take a port above 1023, and let a proxy listen on 80 and 443',
  EADDRNOTAVAIL: 'is no address of this machine: 0.0.0.0 listens on all it has',
  ENOTFOUND: 'is no address: 127.0.0.1 listens for this machine, 0.0.0.0 for all others too',
};
