/*
 * This room runs the service. In: a `Config` and a log. Out: a listening server, or a handler for another one.
 *
 * Opened once: the admin port (admin.ts), the database, the encoder, the submissions, and what counts requests
 * (shared.ts). Made anew by each reload: the profile (load-brand.ts) and all that answers from it (app.ts).
 */
import { performance } from 'node:perf_hooks';
import { messageOf } from '../../brand/profile/thrown.ts';
import { askExamples, type Example } from '../../discovery/documents/examples.ts';
import { type Config, refuseExposed } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { type Clock, systemClock } from '../config/timing.ts';
import type { Timeouts } from '../http/listener.ts';
import type { Middleware } from '../http/middleware.ts';
import type { Mailer } from '../mail/mailer.ts';
import { openedWhenAsked } from '../outbox/database.ts';
import {
  mailRouteOf,
  openSubmissions,
  refuseForeign,
  refuseWithoutMail,
} from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { type AdminServer, openAdmin } from './admin.ts';
import { type App, createApp } from './app.ts';
import { watchExpiry } from './expiry.ts';
import { listen } from './listen.ts';
import { createLoader, type ServedBrand } from './load-brand.ts';
import { createShared, openClientHash, type Shared } from './shared.ts';

export interface ServerOptions {
  /** Loads the profile at the start and at each reload. Default: from BRAND_FILE. */
  readonly load?: () => Promise<ServedBrand | undefined>;
  /** Default: the mailer of the settings. */
  readonly mailer?: Mailer | undefined;
  readonly clock?: Pick<Clock, 'now' | 'monotonic'>;
  readonly timeouts?: Partial<Timeouts>;
}

/** How long a stopping server takes requests, and the `performance.now()` at which it is cut off. */
interface Stopping {
  readonly drainMs: number;
  readonly deadlineMs: number;
}

/**
 * Bound of a stop, requests and mails together: docs/operations.md promises 15 s. A mail that is cut off is
 * sent after the next start.
 */
const STOP_WITHIN_MS = 14_500;

/**
 * The running service. Its parts are made in the order in which they need each other, and closed in the
 * reverse order.
 * @example
 * const server = new Server(readConfig({ BRAND_FILE: 'brand.json' }), createLog());
 * console.log(await server.start());
 * await server.close();
 */
export class Server {
  readonly #config: Config;
  readonly #options: ServerOptions;
  /** Functions that close the parts, in the order of opening. */
  readonly #closers: ((stopping: Stopping) => unknown)[] = [];
  /** Health and metrics read its lines too. */
  log: Log;
  /** Absent where no admin port is configured. */
  admin: AdminServer | undefined;
  outbox!: Outbox;
  #load!: () => Promise<ServedBrand | undefined>;
  #share!: (url: string) => Shared;
  /** Made once the address is known, as the first app is. */
  shared!: Shared;
  /** The profile in use. Undefined if the server started without one. */
  brand: ServedBrand | undefined;
  #examples: readonly Example[] = [];
  /** What answers from this profile. */
  app!: App;
  #lastReload = Promise.resolve();

  constructor(config: Config, log: Log, options: ServerOptions = {}) {
    this.#config = config;
    this.log = log;
    this.#options = options;
  }

  /**
   * Opens everything and listens on HOST and PORT.
   * @returns its address
   * @throws Error for the operator if profile, model, data directory or address have a fault
   */
  async start(): Promise<string> {
    await this.open();
    return this.#orClose(async () => {
      const port = await listen(this.#config, {
        handler: this.handler,
        refusalHeaders: (...refusal) => this.shared.refusalHeaders(...refusal),
        timeouts: this.#options.timeouts,
        log: this.log,
      });
      this.#closers.push(({ drainMs, deadlineMs }) => port.stop(deadlineMs, drainMs));
      // Without BASE_URL documents name the port, which is known only now. No request has been read yet.
      if (this.#config.baseUrl === undefined) await this.#answerAs(port.url);
      this.admin?.ready();
      return port.url;
    });
  }

  /**
   * Opens everything but the port. With BASE_URL it is ready for requests of another server's port.
   * @throws Error for the operator if profile, model or data directory have a fault
   */
  open(): Promise<void> {
    return this.#orClose(async () => {
      const config = this.#config;
      const { clock = systemClock } = this.#options;
      refuseExposed(config);
      const { mode, mailer } = mailRouteOf(config, 'server');
      const database = openedWhenAsked(config);
      this.#closers.push(() => database.close());
      const profile = () => this.brand?.profile;
      if (config.admin.port !== undefined) {
        this.admin = await openAdmin(config.admin, this.log, { config, database, mode, profile });
        this.#closers.push(this.admin.close);
        this.log = this.admin.log;
      }
      const { log } = this;
      const loader = createLoader(config, log);
      this.#closers.push(loader.close);
      this.#load = this.#options.load ?? loader.load;
      this.brand = await this.#load().catch((error: unknown) => {
        if (!config.startWithoutBrand) throw error;
        const effect = 'questions are answered with 503 not_configured';
        log('error', 'brand', { fault: messageOf(error), effect });
        return undefined;
      });
      // It sends what is due at once, so the profile must be known: the store may be another brand's.
      const outbox = openSubmissions(config, {
        database,
        mode,
        mailer: this.#options.mailer ?? mailer,
        // Timers of the outbox are real, also with the clock of a test.
        clock: { ...systemClock, now: clock.now },
        profile,
        log,
      });
      this.outbox = outbox;
      this.#closers.push(({ deadlineMs }) => outbox.close(deadlineMs - performance.now()));
      this.#examples = await askExamples(this.brand);
      await this.#refuse(this.brand);
      const clientHash = await openClientHash(database);
      this.#share = url => createShared({ config, url, log, outbox, mode, clientHash, clock });
      this.#closers.push(watchExpiry(profile, log, clock.now));
      if (config.baseUrl !== undefined) await this.#answerAs(config.baseUrl);
    });
  }

  /** @throws Error for a profile whose mail nobody would get, and for one of another brand */
  async #refuse(brand: ServedBrand | undefined): Promise<void> {
    refuseWithoutMail(this.#config, brand?.profile);
    await refuseForeign(this.outbox, brand?.profile);
  }

  /** Makes the first app, with all documents. @throws Error for a document that cannot be built */
  async #answerAs(url: string): Promise<void> {
    this.shared = this.#share(url);
    this.app = createApp(this.shared, this.brand, this.#examples);
    await this.app.fillDocuments();
  }

  /** Answers with the app in use. It must have three parameters: h3 recognizes a middleware by their number. */
  readonly handler: Middleware = (request, response, next) => this.app.answer(request, response, next);

  /**
   * Reads the profile again and uses it once its documents are built. A fault is logged, and the old profile
   * stays. A call during a reload starts another one afterwards, because the first may have read old files.
   */
  reload(): Promise<void> {
    this.#lastReload = this.#lastReload.then(() => this.#replaceProfile());
    return this.#lastReload;
  }

  async #replaceProfile(): Promise<void> {
    try {
      const brand = await this.#load();
      if (!brand) throw new Error('there is no profile');
      await this.#refuse(brand);
      await this.use(brand);
      this.log('info', 'reload', { digest: brand.digest });
    } catch (error) {
      const effect = 'the previous profile stays in use';
      this.log('error', 'reload', { fault: messageOf(error), effect, alarm: true });
    }
  }

  /**
   * Uses this profile from now on. Its app and documents are built first.
   * @throws Error for a document that cannot be built; then the old profile stays
   */
  async use(brand: ServedBrand | undefined): Promise<void> {
    const app = createApp(this.shared, brand, await askExamples(brand));
    await app.fillDocuments();
    this.app = app;
    this.brand = brand;
  }

  /** Takes requests for `drainMs`, then finishes the requests and mails in work, within 15 seconds. */
  async close(drainMs = 0): Promise<void> {
    const deadlineMs = performance.now() + drainMs + STOP_WITHIN_MS;
    for (const close of this.#closers.splice(0).toReversed()) await close({ drainMs, deadlineMs });
  }

  async #orClose<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
