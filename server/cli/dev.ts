import { randomBytes } from 'node:crypto';
import { toNodeHandler } from 'h3';
import { listen } from 'listhen';
import { createApp } from '../app.ts';
import { loadBrand } from '../brand/load-brand.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { createClientKey } from '../connections/client-key.ts';
import { createFailureLimiter } from '../limits/admission.ts';
import { createLimiter } from '../limits/limiter.ts';
import { createServices, SYSTEM_CLOCK } from '../start.ts';
import { modeOf, openSubmissions, serverMailer } from '../submissions/submissions.ts';

/**
 * `npm run dev`: the same app behind listhen, started anew when a file changes. For development alone: listhen has no
 * time-outs, and prints to standard output.
 */
const log = createLog();
const config = readConfig(process.env);
const brand = await loadBrand(config, log);
const mailer = await serverMailer(config);
const outbox = openSubmissions(config, { mailer, mode: modeOf(config), brandName: () => brand.name, log });
const { database } = outbox;
const limiter = await createLimiter(config, { now: SYSTEM_CLOCK.monotonic, wallNow: Date.now, database, log });
const url = `http://${config.host}:${config.port}`;
const clientKey = createClientKey({ proxies: config.proxies, secret: randomBytes(32) });
const failures = createFailureLimiter(config.policies, SYSTEM_CLOCK.monotonic);
const services = createServices({ config, log, outbox, limiter, failures, clientKey, clock: SYSTEM_CLOCK }, url);
const app = await createApp(services, brand);
await listen(toNodeHandler(app), { port: config.port, hostname: config.host, isProd: true, showURL: true });
