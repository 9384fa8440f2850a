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

/** The clock of the server. `monotonic`: milliseconds that never run backwards. */
export interface Clock {
  readonly now: () => Date;
  readonly monotonic: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => new Date(), monotonic: () => performance.now() };

interface ServiceParts {
  readonly config: Config;
  /** Address of the server, if BASE_URL is not set. */
  readonly url: string;
  readonly brand: ServedBrand | undefined;
  /** Result of `askExamples` for this brand. */
  readonly examples: readonly Example[];
  readonly log: Log;
  readonly outbox: Pick<Outbox, 'deliver' | 'hourlyStates' | 'database'>;
  /** Hashes the address of a client. */
  readonly clientHash: (client: string) => string;
  readonly onAnswer?: ((isMatch: boolean) => void) | undefined;
  readonly clock: Clock;
}

/** Answers requests from the profile in use. It does not listen itself. */
export class Service {
  readonly services: Services;
  /** Hashes the name of a client without an address, such as an MCP session. */
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

  /** It must have three parameters: h3 recognizes a middleware by their number. */
  readonly handler: Middleware = (request, response, next) => this.#live.answer(request, response, next);

  /** The app and tools of the profile in use. */
  readonly live = () => this.#live;

  /**
   * Builds every document.
   * @throws Error for a document that cannot be built
   */
  fillDocuments(): Promise<void> {
    return this.#live.fillDocuments().catch(refuseProfile);
  }

  /**
   * Uses this profile from now on. Its app and documents are built first.
   * @throws Error for a document that cannot be built; then the old profile stays
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

/** @throws Error for the operator */
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

/** How long a response waits for the hourly limits in its headers. */
const READ_HOURLY_MS = 1000;

/**
 * Makes a reader of the hourly limits. While the database fails it shows the whole quota; nothing is accepted
 * then.
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
 * The longest path: an id of a claim has up to 100 characters, each up to nine when percent-encoded. h3 would
 * parse a longer path before our middleware runs: 2 ms for 30,000 characters.
 */
const MAX_PATH = 1000;

/** Replaces a path that is too long, and gets 404. */
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

/** Log line: without TRUSTED_PROXIES all visitors of a proxy share one limit. */
const UNTRUSTED_PROXY = {
  fault: 'X-Forwarded-For comes from an internal address that is not trusted, and is not believed',
  fix: 'if that is a proxy of yours, name its address in TRUSTED_PROXIES',
} as const;

const anyHostWarning = (host: string, url: string) =>
  `HOST=${host} without BASE_URL: requests for any host name are served, and documents name ${url}. ` +
  'Set BASE_URL to the public origin, https://acme.example; production needs it.';
