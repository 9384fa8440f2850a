import { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { toNodeHandler } from 'h3';
import { messageOf } from '../../brand/profile/thrown.ts';
import { askExamples, type Example } from '../../discovery/documents/examples.ts';
import { type Policies, quotaState } from '../../tools/policies.ts';
import { type Config, servesAnyHost } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery, HOUR_MS, withTimeout } from '../config/timing.ts';
import { createClientKey } from '../http/client-key.ts';
import type { RefusalHeaders } from '../http/listener.ts';
import { pathOf } from '../http/message.ts';
import type { Middleware } from '../http/middleware.ts';
import { createRefusalHeaders } from '../http/respond.ts';
import type { ReadHourly } from '../limits/admission.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { mailRouteOf } from '../outbox/mail-route.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createApp, type Services } from './app.ts';
import { createAskLog } from './ask-log.ts';
import { brandInUse } from './brand-in-use.ts';
import type { ServedBrand } from './load-brand.ts';

/** Time, as the server sees it; `monotonic` are milliseconds that never run backwards. */
export interface Clock {
  readonly now: () => Date;
  readonly monotonic: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), monotonic: () => performance.now() };

interface ServiceParts {
  readonly config: Config;
  /** Where it is reached; BASE_URL goes before it. */
  readonly url: string;
  readonly brand: ServedBrand | undefined;
  /** What `askExamples` gave for this brand. */
  readonly examples: readonly Example[];
  readonly log: Log;
  readonly outbox: Pick<Outbox, 'deliver' | 'hourlyStates' | 'database'>;
  /** Names a client by something that nobody can guess back to an address. */
  readonly clientHash: (client: string) => string;
  readonly onAnswer?: ((isMatch: boolean) => void) | undefined;
  readonly clock: Clock;
}

/** Answers requests from a profile until another takes its place. Somebody else listens. */
export class Service {
  readonly services: Services;
  /** Names a client that has no address as those with one are named. */
  readonly clientHash: (client: string) => string;
  readonly refusalHeaders: RefusalHeaders;
  readonly #parts: ServiceParts;
  #live: ReturnType<Service['build']>;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.clientHash = parts.clientHash;
    this.services = servicesOf(parts);
    this.refusalHeaders = createRefusalHeaders(this.services);
    if (this.services.anyHost)
      parts.log('warn', 'configuration', { warning: anyHostWarning(parts.config.host, parts.url) });
    this.#live = this.build(parts.brand, parts.examples);
  }

  /** Takes three parameters: h3 tells a middleware by their number. */
  readonly handler: Middleware = (request, response, next) => this.#live.answer(request, response, next);

  /** What is made of the profile in use. */
  readonly live = () => this.#live;

  /**
   * Builds every document.
   * @throws Error when one cannot be built
   */
  fillDocuments(): Promise<void> {
    return this.#live.fillDocuments().catch(refuseProfile);
  }

  /**
   * Answers from this profile from now on. Everything made of it is built before it takes the place of the
   * one in use.
   * @throws Error when a document cannot be built; then the one in use stays
   */
  async use(brand: ServedBrand | undefined): Promise<void> {
    try {
      const next = this.build(brand, await askExamples(brand));
      await next.fillDocuments();
      this.#live = next;
    } catch (error) {
      refuseProfile(error);
    }
  }

  private build(loaded: ServedBrand | undefined, examples: readonly Example[]) {
    const { clock, onAnswer } = this.#parts;
    const brand = loaded && brandInUse(loaded, { now: clock.now, onAnswer });
    const app = createApp(this.services, brand, examples);
    return { ...app, brand, answer: middleware(app) };
  }
}

/** @throws Error in words for the operator */
function refuseProfile(cause: unknown): never {
  throw new Error(`a page or document cannot be made of this profile: ${messageOf(cause)}`, { cause });
}

function servicesOf({ config, url, log, outbox, clock, clientHash }: ServiceParts): Services {
  const { database } = outbox;
  const nowMs = () => clock.now().getTime();
  const logUntrustedProxy = () => log('warn', 'proxy', UNTRUSTED_PROXY);
  return {
    baseUrl: config.baseUrl ?? url,
    anyHost: servesAnyHost(config),
    mode: mailRouteOf(config, 'server').mode,
    log,
    now: clock.now,
    policies: config.policies,
    publishing: config.publishing,
    allowedHosts: config.allowedHosts,
    allowedOrigins: config.allowedOrigins,
    clientKey: createClientKey({
      proxies: config.proxies,
      hash: clientHash,
      onUntrustedForward: atMostEvery(HOUR_MS, clock.monotonic, logUntrustedProxy),
    }),
    limiter: createMinuteLimiter({ policies: config.policies, monotonicMs: clock.monotonic }),
    readHourly: hourlyReader(outbox, config.policies),
    recordQuestion: createAskLog({ keep: config.keepAsked, database, now: nowMs, log }),
    deliver: submission => outbox.deliver(submission),
  };
}

/** A response does not wait longer for what its headers say. */
const READ_HOURLY_MS = 1000;

/**
 * What is left of the hourly limits. While the database fails nothing is accepted, and the whole quota is
 * shown.
 */
function hourlyReader(outbox: Pick<Outbox, 'hourlyStates'>, policies: Policies): ReadHourly {
  return async (client, surface) => {
    const channel = surface === 'forms' ? 'rest' : 'mcp';
    const names = surface === 'forms' ? SHOWN.forms : SHOWN.actions;
    try {
      return await withTimeout(READ_HOURLY_MS, outbox.hourlyStates({ ...client, channel }));
    } catch {
      return names.map(name => quotaState(policies, name, 0, 0));
    }
  };
}

const SHOWN = { forms: ['submissions'], actions: ['actions', 'actions-service'] } as const;

/**
 * No path of the service is longer: an id of a claim has up to 100 characters, and each may be nine when
 * percent-encoded. h3 takes a path apart before anything is measured: 2 ms for 30,000 characters.
 */
const MAX_PATH = 1000;

/** A path that is not found. */
const UNKNOWN_PATH = '/-';

function middleware({ app, paths }: ReturnType<typeof createApp>): Middleware {
  const answer = toNodeHandler(app);
  return (request, response, next) => {
    if (!(request instanceof IncomingMessage))
      throw new TypeError('Aval answers HTTP/1.1: let a proxy speak HTTP/2');
    const path = pathOf(request) ?? '';
    if (next && !paths.has(path)) return next();
    if (path.length > MAX_PATH) request.url = UNKNOWN_PATH;
    void answer(request, response);
  };
}

/** For the log: without TRUSTED_PROXIES all visitors of a proxy share the proxy's limit. */
const UNTRUSTED_PROXY = {
  fault: 'X-Forwarded-For comes from an internal address that is not trusted, and is not believed',
  fix: 'if that is a proxy of yours, name its address in TRUSTED_PROXIES',
} as const;

const anyHostWarning = (host: string, url: string) =>
  `HOST=${host} without BASE_URL: requests for any host name are served, and documents name ${url}. ` +
  'Set BASE_URL to the public origin, https://acme.example; production needs it.';
