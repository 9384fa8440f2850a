/*
 * This room runs the service: start, requests, reload of the profile, stop.
 * In: a `Config` and a log.
 * Out: a listening server, or a request handler for a server that exists already.
 */
import { performance } from 'node:perf_hooks';
import { messageOf } from '../../brand/profile/thrown.ts';
import { askExamples, type Example } from '../../discovery/documents/examples.ts';
import { type Config, refuseExposed } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import type { Timeouts } from '../http/listener.ts';
import type { Mailer } from '../mail/mailer.ts';
import { refuseForeign, refuseWithoutMail } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { watchExpiry } from './brand-in-use.ts';
import { listen } from './listen.ts';
import { createLoader, type ServedBrand } from './load-brand.ts';
import { type Closer, openClientHash, openParts, type Parts } from './parts.ts';
import { type Clock, Service, SYSTEM_CLOCK } from './service.ts';

export interface ServerOptions {
  /** Loads the profile, at the start and at each reload. Default: the one that the settings name. */
  readonly load?: () => Promise<ServedBrand | undefined>;
  /** Default: the one that the settings name. */
  readonly mailer?: Mailer | undefined;
  readonly clock?: Clock;
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * Requests and sends together: below the 15 s that docs/operations.md promises. Mail that is cut off here
 * leaves after the next start.
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
  readonly #baseLog: Log;
  readonly #options: ServerOptions;
  readonly #clock: Clock;
  /** What was opened, in order. */
  readonly #closers: Closer[] = [];
  #parts: Parts | undefined;
  #clientHash: (client: string) => string = () => '';
  #load: () => Promise<ServedBrand | undefined> = async () => undefined;
  #brand: ServedBrand | undefined;
  #examples: readonly Example[] = [];
  #service: Service | undefined;
  #lastReload = Promise.resolve();
  #isReloadWaiting = false;

  constructor(config: Config, log: Log, options: ServerOptions = {}) {
    this.#config = config;
    this.#baseLog = log;
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** Every line of it is also followed by health and metrics. */
  get log(): Log {
    return this.#parts?.log ?? this.#baseLog;
  }

  /** The profile in use; `undefined` where the server was started without one. */
  get brand(): ServedBrand | undefined {
    return this.#brand;
  }

  /** Address of the admin port; `undefined` where none is configured. */
  get adminUrl(): string | undefined {
    return this.#parts?.admin?.url;
  }

  /** @throws Error before `open` */
  get outbox(): Outbox {
    if (!this.#parts) throw new Error('the server is not open yet');
    return this.#parts.outbox;
  }

  /** What answers. @throws Error before `mount` or `listen` */
  get service(): Service {
    if (!this.#service) throw new Error('the server is not ready yet');
    return this.#service;
  }

  /**
   * Opens everything and listens.
   * @returns its address
   * @throws Error, in words for the operator, when profile, model, data directory or address are at fault
   */
  async start(): Promise<string> {
    await this.open();
    return this.listen();
  }

  /**
   * Opens everything but the port: admin port, database, profile, submissions.
   * @throws Error, in words for the operator, when profile, model or data directory are at fault
   */
  open(): Promise<void> {
    return this.#orClose(async () => {
      const config = this.#config;
      const closers = this.#closers;
      refuseExposed(config);
      this.#parts = await openParts(config, {
        log: this.#baseLog,
        mailer: this.#options.mailer,
        clock: this.#clock,
        profile: () => this.#brand?.profile,
        closers,
      });
      const loader = createLoader(config, this.log);
      closers.push(loader.close);
      this.#load = this.#options.load ?? loader.load;
      this.#brand = await this.#load().catch((error: unknown) => {
        if (!config.startWithoutBrand) throw error;
        const effect = 'questions are answered with 503 not_configured';
        this.log('error', 'brand', { fault: messageOf(error), effect });
        return undefined;
      });
      this.#examples = await askExamples(this.#brand);
      await this.#refuse(this.#brand);
      this.#clientHash = await openClientHash(this.outbox.database, { log: this.log, closers });
    });
  }

  /** @throws Error for a profile whose mail nobody gets, and for another brand's */
  async #refuse(brand: ServedBrand | undefined): Promise<void> {
    refuseWithoutMail(this.#config, brand?.profile);
    await refuseForeign(this.outbox, brand?.profile);
  }

  /**
   * Makes what answers requests, with every document. Call it after `open`, where another program listens.
   * @param url the address that documents name where BASE_URL is not set
   * @throws Error when a document cannot be made of the profile
   */
  mount(url: string): Promise<Service> {
    return this.#orClose(async () => {
      const { log } = this;
      const service = new Service({
        config: this.#config,
        clock: this.#clock,
        url,
        brand: this.#brand,
        examples: this.#examples,
        log,
        outbox: this.outbox,
        clientHash: this.#clientHash,
        onAnswer: this.#parts?.admin?.onAnswer,
      });
      this.#service = service;
      this.#closers.push(watchExpiry(() => this.#brand?.profile, log, this.#clock.now));
      await service.fillDocuments();
      this.#parts?.admin?.ready();
      return service;
    });
  }

  /**
   * Listens where the settings say.
   * @returns its address
   * @throws Error when the address cannot be listened on, or a document cannot be made of the profile
   */
  listen(): Promise<string> {
    return this.#orClose(async () => {
      const port = await listen(this.#config, {
        handler: (request, response) => this.service.handler(request, response),
        refusalHeaders: (...refusal) => this.service.refusalHeaders(...refusal),
        timeouts: this.#options.timeouts,
        log: this.log,
      });
      this.#closers.push(({ drainMs, deadlineMs }) => port.stop(deadlineMs, drainMs));
      // Documents name the port, which is known now. No request can have been read yet.
      if (!this.#service) await this.mount(port.url);
      return port.url;
    });
  }

  /**
   * Reads the profile again and takes it into use once everything is made of it. On a fault the old one
   * stays, and the log has the fault. A call during a reload starts another afterwards, because the first may
   * have read old files.
   */
  reload(): Promise<void> {
    if (!this.#isReloadWaiting) this.#lastReload = this.#lastReload.then(() => this.#replaceProfile());
    this.#isReloadWaiting = true;
    return this.#lastReload;
  }

  async #replaceProfile(): Promise<void> {
    this.#isReloadWaiting = false;
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
   * Answers from this profile from now on.
   * @throws Error when a document cannot be made of it; the old one stays in use
   */
  async use(brand: ServedBrand | undefined): Promise<void> {
    await this.service.use(brand);
    this.#brand = brand;
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
