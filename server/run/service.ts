import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { toNodeHandler } from 'h3';
import { type Config, servesAnyHost } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery } from '../config/timing.ts';
import { createClientHash, createClientKey, createRequestId } from '../http/client-key.ts';
import { pathOf } from '../http/message.ts';
import type { Middleware } from '../http/middleware.ts';
import { createRefusalHeaders } from '../http/respond.ts';
import { createLimiter } from '../limits/limiter.ts';
import { installationSecret } from '../outbox/archive.ts';
import { modeOf } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createApp, type Services } from './app.ts';
import { createAskLog } from './ask-log.ts';
import { untilExpiry, watchExpiry } from './expiry.ts';
import type { ServedBrand } from './served-brand.ts';

/** Everything that answers requests. Somebody else listens. */
export type Service = Awaited<ReturnType<typeof createService>>;

/** Time, as the server sees it; `monotonic` are milliseconds that never run backwards. */
const SYSTEM_CLOCK = { now: () => new Date(), monotonic: () => performance.now() };

export interface Parts {
  readonly config: Config;
  readonly brand: ServedBrand | undefined;
  readonly log: Log;
  readonly outbox: Pick<Outbox, 'deliver' | 'isReplay' | 'database'>;
  readonly clock?: typeof SYSTEM_CLOCK;
}

/**
 * Answers from a profile until another takes its place.
 * @param url where it is reached, in place of BASE_URL
 */
export async function createService(parts: Parts, url: string) {
  const { config, log, outbox, clock = SYSTEM_CLOCK } = parts;
  const { database, deliver, isReplay } = outbox;
  const nowMs = () => clock.now().getTime();
  const limiter = createLimiter({
    policies: config.policies,
    monotonicMs: clock.monotonic,
    nowMs,
    database,
    log,
  });
  const secret = await installationSecret(database, 'client-key').catch(() => randomBytes(32));
  const clientHash = createClientHash(secret);
  const clientKey = createClientKey({
    proxies: config.proxies,
    hash: clientHash,
    onUnbelieved: atMostEvery(3_600_000, clock.monotonic, () => log('warn', 'proxy', UNBELIEVED)),
  });
  const { policies, publishing, allowedOrigins, forms } = config;
  const services: Services = {
    baseUrl: config.baseUrl ?? url,
    anyHost: servesAnyHost(config),
    requestId: createRequestId(config.proxies),
    asked: createAskLog({ keep: config.keepAsked, days: config.retentionDays, database, now: nowMs, log }),
    mode: modeOf(config),
    now: clock.now,
    ...{ policies, publishing, allowedOrigins, limiter, clientKey, deliver, isReplay, log },
    ...forms,
  };
  if (services.anyHost) log('warn', 'configuration', { warning: anyHostWarning(config.host, url) });
  const build = (loaded: ServedBrand | undefined) => {
    const brand = loaded && untilExpiry(loaded, clock.now);
    const app = createApp(services, brand);
    return { ...app, brand, answer: middleware(app) };
  };
  let live = build(parts.brand);
  const stopWatching = watchExpiry(() => live.brand?.profile, log, clock.now);
  // Three parameters: h3 tells a middleware by their number.
  const handler: Middleware = (request, response, next) => live.answer(request, response, next);
  return {
    handler,
    /** What is made of the profile in use. */
    live: () => live,
    services,
    /** Names a client that has no address as those with one are named. */
    clientHash,
    refusalHeaders: createRefusalHeaders(services),
    /** Builds the remaining documents. A start does not wait for them. @throws Error when one cannot be built */
    fillDocuments: () => live.fillDocuments(),
    /**
     * Answers from this profile from now on. Everything made of it is built before it takes the place of the one in use.
     * @throws Error when a document cannot be built; then the one in use stays
     */
    async use(brand: ServedBrand | undefined) {
      const next = build(brand);
      await next.fillDocuments();
      live = next;
    },
    close: async () => stopWatching(),
  };
}

function middleware({ app, paths }: ReturnType<typeof createApp>): Middleware {
  const answer = toNodeHandler(app);
  return (request, response, next) => {
    if (!(request instanceof IncomingMessage))
      throw new TypeError('Aval answers HTTP/1.1: let a proxy speak HTTP/2');
    const path = pathOf(request) ?? '';
    if (next && !paths.has(path)) return next();
    if (path.length > LONGEST_PATH) request.url = NOWHERE;
    void answer(request, response);
  };
}

/** No path of the service is longer. h3 takes a path apart before anything is measured: 2 ms for 30,000 characters. */
const [LONGEST_PATH, NOWHERE] = [200, '/-'];

/** For the log: without TRUSTED_PROXIES all visitors of a proxy share the proxy's limit. */
const UNBELIEVED = {
  fault: 'X-Forwarded-For comes from an internal address that is not trusted, and is not believed',
  fix: 'if that is a proxy of yours, name its address in TRUSTED_PROXIES',
} as const;

const anyHostWarning = (host: string, url: string) =>
  `HOST=${host} without BASE_URL: requests for any host name are served, and documents name ${url}. ` +
  'Set BASE_URL to the public origin, https://acme.example; production needs it.';
