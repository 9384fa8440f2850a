import type { H3Event } from 'h3';
import { messageOf } from '../../brand/profile/thrown.ts';
import { askExamples, type Example } from '../../discovery/documents/examples.ts';
import { mcpDescriptor } from '../../discovery/documents/server-card.ts';
import type { Site } from '../../discovery/documents/site.ts';
import { createEditions } from '../../discovery/editions.ts';
import { DOCUMENTS } from '../../discovery/index.ts';
import { claimPaths, links, mountDocuments, redirectClaims } from '../../discovery/mount.ts';
import { createPages } from '../../discovery/pages/pages.ts';
import { createSite } from '../../discovery/site.ts';
import { mountApi } from '../../rest/api.ts';
import { App, answerOtherMethods, requireRoute } from '../../rest/methods.ts';
import { render } from '../../rest/reply.ts';
import type { ServiceError } from '../../tools/errors.ts';
import type { Backend } from '../../tools/tool.ts';
import { type Config, servesAnyHost } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery, type Clock, HOUR_MS } from '../config/timing.ts';
import { createClientKey } from '../http/client-key.ts';
import { createInWork, createTurns } from '../http/in-work.ts';
import type { RefusalHeaders } from '../http/listener.ts';
import { nodeMiddleware, requireUnambiguous } from '../http/message.ts';
import type { Middleware } from '../http/middleware.ts';
import { createGate, type Gate } from '../http/origin.ts';
import { createRefusalHeaders, createResponder, lastResponse, type ResponderParts } from '../http/respond.ts';
import { createAdmissions } from '../limits/admission.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { mountA2a } from '../mcp/a2a.ts';
import { mountMcp } from '../mcp/http.ts';
import { createServerFor } from '../mcp/server.ts';
import { mailRouteOf } from '../outbox/mail-route.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createAskLog } from './ask-log.ts';
import { brandInUse } from './brand-in-use.ts';
import type { ServedBrand } from './load-brand.ts';

interface ServiceParts {
  readonly config: Config;
  /** Address of the server, if BASE_URL is not set. */
  readonly url: string;
  readonly brand: ServedBrand | undefined;
  /** Result of `askExamples` for this brand. */
  readonly examples: readonly Example[];
  readonly log: Log;
  readonly outbox: Outbox;
  /** Hashes the address of a client. */
  readonly clientHash: (client: string) => string;
  readonly onAnswer?: ((isMatch: boolean) => void) | undefined;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Answers requests from the profile in use. It does not listen itself. */
export class Service {
  readonly refusalHeaders: RefusalHeaders;
  /** Names clients, and counts their requests: also those that come without HTTP. */
  readonly responder: ResponderParts;
  readonly #parts: ServiceParts;
  readonly #backend: Omit<Backend, 'brand'>;
  readonly #gate: Gate;
  #live: ReturnType<Service['build']>;

  constructor(parts: ServiceParts) {
    const { config, url, log, outbox, clock, clientHash } = parts;
    const { allowedHosts, allowedOrigins, policies, proxies } = config;
    const { mode } = mailRouteOf(config, 'server');
    const baseUrl = config.baseUrl ?? url;
    const anyHost = servesAnyHost(config);
    const logUntrustedProxy = () => log('warn', 'proxy', UNTRUSTED_PROXY);
    this.#parts = parts;
    this.#gate = createGate({
      baseUrl,
      allowedHosts,
      allowedOrigins,
      anyHost,
      isLocal: mode === 'dry-run',
    });
    this.#backend = {
      recordQuestion: createAskLog({
        database: outbox.database,
        keep: config.keepAsked,
        now: clock.now,
        log,
      }),
      deliver: submission => outbox.deliver(submission),
      mode,
      now: () => new Date(clock.now()),
    };
    this.responder = {
      baseUrl,
      log,
      // A reload makes a new app. Its clients are the same.
      inWork: createInWork(),
      turn: createTurns(),
      clientKey: createClientKey({
        proxies,
        hash: clientHash,
        onUntrustedForward: atMostEvery(HOUR_MS, clock.monotonic, logUntrustedProxy),
      }),
      admissionFor: createAdmissions({
        limiter: createMinuteLimiter({ policies, monotonicMs: clock.monotonic }),
        readHourly: (client, channel) => outbox.hourlyStates({ ...client, channel }),
        limitsUrl: `${baseUrl}/llms.txt`,
      }),
    };
    this.refusalHeaders = createRefusalHeaders(this.responder);
    if (anyHost) log('warn', 'configuration', { warning: anyHostWarning(config.host, url) });
    this.#live = this.build(parts.brand, parts.examples);
  }

  /** It must have three parameters: h3 recognizes a middleware by their number. */
  readonly handler: Middleware = (request, response, next) => this.#live.answer(request, response, next);

  /** Hashes the name of a client without an address, such as an MCP session. */
  clientHash(client: string): string {
    return this.#parts.clientHash(client);
  }

  /** What documents are made of now. */
  get site(): Site {
    return this.#live.site;
  }

  /** What a tool may use now. */
  get backend(): Backend {
    return this.#live.backend;
  }

  /**
   * Builds every document.
   * @throws Error for a document that cannot be built
   */
  fillDocuments(): Promise<void> {
    return this.#live.editions.fill().catch(refuseProfile);
  }

  /**
   * Uses this profile from now on. Its app and documents are built first.
   * @throws Error for a document that cannot be built; then the old profile stays
   */
  async use(brand: ServedBrand | undefined): Promise<void> {
    try {
      const next = this.build(brand, await askExamples(brand));
      await next.editions.fill();
      this.#live = next;
    } catch (error) {
      refuseProfile(error);
    }
  }

  /**
   * Builds the whole service as an h3 app for one profile. A reload builds another app.
   * @param examples questions and answers that documents show
   */
  private build(loaded: ServedBrand | undefined, examples: readonly Example[]) {
    const { onAnswer, config, clock } = this.#parts;
    const { policies, publishing } = config;
    const brand = loaded && brandInUse(loaded, { now: clock.now, onAnswer });
    const backend: Backend = { ...this.#backend, brand };
    const { mode, now } = backend;
    const { baseUrl } = this.responder;
    const site = createSite({ baseUrl, policies, publishing, brand, examples, mode, now });
    const { tools, privacyUrl } = site;
    const page = createPages(site);
    const editions = createEditions(site, DOCUMENTS);
    const refuse = (error: ServiceError, event: H3Event) =>
      render(event, { kind: 'refusal', error, attempt: event.context.attempt }, page);

    // Otherwise h3 refuses a path that does not decode before our middleware can write headers.
    const app = new App({ silent: true, allowMalformedURL: true, onError: lastResponse });
    app.use(createResponder(this.responder, this.#gate, refuse));
    if (!publishing.off.has('links')) app.use(links(publishing));
    app.use(requireUnambiguous);
    if (!publishing.off.has('claims')) app.use(redirectClaims);
    app.use(requireRoute);
    mountApi(app, { tools, backend, page, asksConsent: privacyUrl !== undefined, ...this.#gate });
    mountDocuments(app, site, editions);
    mountMcp(app, {
      gate: this.#gate,
      backend,
      serverFor: createServerFor(tools, site),
      tools,
      descriptor: () => mcpDescriptor(site),
    });
    if (!publishing.off.has('a2a')) mountA2a(app, backend);
    answerOtherMethods(app);
    const paths = new Set([...app.paths, ...claimPaths(site)]);
    return { backend, site, editions, answer: nodeMiddleware(app, paths) };
  }
}

/** @throws Error for the operator */
function refuseProfile(cause: unknown): never {
  throw new Error(`a page or document cannot be made of this profile: ${messageOf(cause)}`, { cause });
}

/** Log line: without TRUSTED_PROXIES all visitors of a proxy share one limit. */
const UNTRUSTED_PROXY = {
  fault: 'X-Forwarded-For comes from an internal address that is not trusted, and is not believed',
  fix: 'if that is a proxy of yours, name its address in TRUSTED_PROXIES',
} as const;

const anyHostWarning = (host: string, url: string) =>
  `HOST=${host} without BASE_URL: requests for any host name are served, and documents name ${url}. ` +
  'Set BASE_URL to the public origin, https://acme.example; production needs it.';
