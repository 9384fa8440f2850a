import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { toNodeHandler } from 'h3';
import { checkDeprecations } from '../rest/deprecations.ts';
import type { Policies } from '../tools/policies.ts';
import { createApp } from './app.ts';
import type { BrandSource } from './brand/brand-source.ts';
import type { Config } from './config/config.ts';
import type { Log } from './config/log.ts';
import { createClientKey, createNetworkOf } from './http/client-key.ts';
import { createListener, stop, type Timeouts } from './http/listener.ts';
import { createRefusalHeaders } from './http/respond.ts';
import type { Services } from './http/services.ts';
import { createLimiter } from './limits/limiter.ts';
import type { Outbox } from './submissions/outbox.ts';

export interface RunningServer {
  readonly url: string;
  /** Finishes the requests under way, for at most `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
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
  readonly brand: BrandSource;
  readonly log: Log;
  readonly outbox: Pick<Outbox, 'deliver' | 'actionTimesMs'>;
  readonly clock?: Clock;
  readonly timeouts?: Partial<Timeouts>;
}

/** Listens, then answers. @throws Error when the address cannot be listened on */
export async function startServer({
  config,
  brand,
  log,
  outbox,
  clock = SYSTEM_CLOCK,
  timeouts,
}: Parts): Promise<RunningServer> {
  checkDeprecations();
  const listener = createListener({
    handler: (request, response) => handle(request, response),
    refusalHeaders: socket => refusalHeaders(socket),
    networkOf: createNetworkOf(config.proxies),
    onCrowded: atMostEvery(60_000, clock.monotonic, () => log('warn', 'connections', CROWDED)),
    timeouts,
  });
  const limiter = await createLimiter(config, {
    now: clock.monotonic,
    actionsAgoMs: recentActions(config.policies, outbox),
    log,
  });
  try {
    listener.listen(config.port, config.host);
    await once(listener, 'listening');
  } catch (error) {
    await limiter.close();
    throw error;
  }

  const url = addressOf(listener.address());
  const services = createServices({ config, brand, log, outbox, limiter, clock }, url);
  const handle = toNodeHandler(createApp(services));
  const refusalHeaders = createRefusalHeaders(services);
  return {
    url,
    async stop(graceMs) {
      await stop(listener, graceMs);
      await limiter.close();
    },
  };
}

type ServiceParts = Required<Pick<Parts, 'config' | 'brand' | 'log' | 'outbox' | 'clock'>> & Pick<Services, 'limiter'>;

/** What the app stands on. @param url where it listens, in place of BASE_URL */
export function createServices({ config, brand, log, outbox, limiter, clock }: ServiceParts, url: string): Services {
  return {
    baseUrl: config.baseUrl ?? url,
    policies: config.policies,
    publishing: config.publishing,
    allowedOrigins: config.allowedOrigins,
    brand,
    limiter,
    clientKey: createClientKey(config.proxies, config.clientKeySecret ?? randomBytes(32)),
    deliver: outbox.deliver,
    mode: config.production ? undefined : 'dry-run',
    log,
    now: clock.now,
    ...config.forms,
  };
}

/** The service-wide hour of submitted actions outlives the process: the journal knows it. */
function recentActions(policies: Policies, outbox: Parts['outbox']): number[] {
  const windowMs = policies['actions-service'].windowSeconds * 1000;
  return outbox.actionTimesMs(windowMs).map(time => Date.now() - time);
}

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
