import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { toNodeHandler } from 'h3';
import { checkDeprecations } from '../rest/deprecations.ts';
import { createApp } from './app.ts';
import { createAskLog } from './asked/ask-log.ts';
import { untilExpiry, watchExpiry } from './brand/expiry.ts';
import type { ServedBrand } from './brand/served-brand.ts';
import type { Config } from './config/config.ts';
import type { Log } from './config/log.ts';
import { createClientKey, createNetworkOf } from './connections/client-key.ts';
import { createListener, stop, type Timeouts } from './connections/listener.ts';
import { createRefusalHeaders } from './http/respond.ts';
import type { Services } from './http/services.ts';
import { createFailureLimiter } from './limits/admission.ts';
import { createLimiter } from './limits/limiter.ts';
import type { Outbox } from './submissions/outbox.ts';

export interface RunningServer {
  readonly url: string;
  /**
   * Answers from this profile from now on. Everything made of it is built before it takes the place of the one in use.
   * @throws Error when a document cannot be built; then the one in use stays
   */
  readonly use: (brand: ServedBrand | undefined) => Promise<void>;
  /** Finishes the requests under way, for at most `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** What a reload changes, at once. */
interface Live {
  brand: ServedBrand | undefined;
  /** Requests that come before the first app is built wait for it. */
  app: Promise<RequestListener>;
}

/** Time, as the server sees it. */
export interface Clock {
  readonly now: () => Date;
  /** Milliseconds that never run backwards. */
  readonly monotonic: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), monotonic: () => performance.now() };

export interface Parts {
  readonly config: Config;
  /** Absent while no profile is loaded. */
  readonly brand: ServedBrand | undefined;
  readonly log: Log;
  readonly outbox: Pick<Outbox, 'deliver' | 'isReplay' | 'database' | 'secret'>;
  readonly clock?: Clock;
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * Listens, and answers from a profile until another takes its place.
 * @throws Error when the address cannot be listened on, or a document cannot be built
 */
export async function startServer({
  config,
  brand,
  log,
  outbox,
  clock = SYSTEM_CLOCK,
  timeouts,
}: Parts): Promise<RunningServer> {
  checkDeprecations();
  const limiter = await createLimiter(config, {
    now: clock.monotonic,
    wallNow: () => clock.now().getTime(),
    database: outbox.database,
    log,
  });
  const failures = createFailureLimiter(config.policies, clock.monotonic);
  const clientKey = createClientKey({
    proxies: config.proxies,
    secret: config.clientKeySecret ?? (await outbox.secret('client-key').catch(() => randomBytes(32))),
    onUnbelieved: atMostEvery(3_600_000, clock.monotonic, () => log('warn', 'proxy', UNBELIEVED)),
  });
  const listener = createListener({
    handler: (request, response) => void live.app.then(answer => answer(request, response)),
    refusalHeaders: createRefusalHeaders({ baseUrl: config.baseUrl, limiter, clientKey }),
    networkOf: createNetworkOf(config.proxies),
    onCrowded: atMostEvery(60_000, clock.monotonic, () => log('warn', 'connections', CROWDED)),
    timeouts,
  });
  const address = listen(listener, config);
  const build = async (served: ServedBrand | undefined) => {
    const services = createServices({ config, log, outbox, limiter, failures, clientKey, clock }, await address);
    const lasting = config.expiredProfile === 'refuse' && served ? untilExpiry(served, clock.now) : served;
    return toNodeHandler(await createApp(services, lasting));
  };
  const live: Live = { brand, app: build(brand) };
  const stopWatching = watchExpiry(() => live.brand?.profile, log, clock.now);
  const close = async (graceMs: number) => {
    stopWatching();
    if (listener.listening) await stop(listener, graceMs);
    await limiter.close();
  };
  try {
    await live.app;
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    url: await address,
    async use(next) {
      const app = build(next);
      await app;
      live.brand = next;
      live.app = app;
    },
    stop: close,
  };
}

/** @throws Error when the address cannot be listened on */
async function listen(server: Server, { port, host }: Config): Promise<string> {
  // A burst of connections waits here; what finds no room is sent again by the client's kernel a second later.
  server.listen({ port, host, backlog: 4096 });
  await once(server, 'listening');
  return addressOf(server.address());
}

type ServiceParts = Required<Pick<Parts, 'config' | 'log' | 'outbox' | 'clock'>> &
  Pick<Services, 'limiter' | 'failures' | 'clientKey'>;

/** What the app stands on. @param url where it listens, in place of BASE_URL */
export function createServices(parts: ServiceParts, url: string): Services {
  const { config, log, outbox, limiter, failures, clientKey, clock } = parts;
  return {
    baseUrl: config.baseUrl ?? url,
    policies: config.policies,
    publishing: config.publishing,
    allowedOrigins: config.allowedOrigins,
    limiter,
    failures,
    clientKey,
    asked: askLog(parts),
    deliver: outbox.deliver,
    isReplay: outbox.isReplay,
    mode: config.production ? undefined : 'dry-run',
    log,
    now: clock.now,
    ...config.forms,
  };
}

/** Off unless the operator turns it on: what people ask is theirs. */
function askLog({ config, log, outbox, clock }: Pick<ServiceParts, 'config' | 'log' | 'outbox' | 'clock'>) {
  const { keep, days } = config.asked;
  if (keep === 'off') return undefined;
  return createAskLog({ database: outbox.database, keep, days, now: () => clock.now().getTime(), log });
}

/** For the log: without trust all visitors of a proxy share one limit, and its address stands for them. */
const UNBELIEVED = {
  fault: 'X-Forwarded-For comes from an internal address that is not trusted, and is not believed',
  fix: 'if that is a proxy of yours, name its address in TRUSTED_PROXIES',
} as const;

/** For the log: said once a minute, or whoever floods the server would flood the log too. */
const CROWDED = {
  fault: 'one network holds as many connections as it may; further ones are closed',
  fix: 'if that is a proxy of yours, name it in TRUSTED_PROXIES',
} as const;

function atMostEvery(ms: number, now: () => number, act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - last < ms) return;
    last = now();
    act();
  };
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port only');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
