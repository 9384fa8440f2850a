import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { toNodeHandler } from 'h3';
import { checkDeprecations } from '../rest/deprecations.ts';
import { createApp, type Services } from './app.ts';
import type { BrandSource } from './brand-source.ts';
import { createClientKey } from './client-key.ts';
import type { Config } from './config.ts';
import { createListener, stop } from './listener.ts';
import type { Log } from './log.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createRefusalHeaders } from './respond.ts';

export interface RunningServer {
  readonly url: string;
  /** Finishes the requests under way, for at most `graceMs`. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Listens, then answers. @throws Error when the address cannot be listened on */
export async function startServer(config: Config, brand: BrandSource, log: Log): Promise<RunningServer> {
  checkDeprecations();
  const listener = createListener(
    (request, response) => handle(request, response),
    socket => refusalHeaders(socket),
  );
  listener.listen(config.port, config.host);
  await new Promise((resolve, reject) => listener.once('listening', resolve).once('error', reject));

  const url = addressOf(listener.address());
  const services: Services = {
    baseUrl: config.baseUrl ?? url,
    policies: config.policies,
    allowedOrigins: config.allowedOrigins,
    brand,
    limiter: createRateLimiter({ policies: config.policies, now: () => performance.now() }),
    clientKey: createClientKey(config.proxies, randomBytes(32)),
    log,
    now: () => new Date(),
  };
  const handle = toNodeHandler(createApp(services));
  const refusalHeaders = createRefusalHeaders(services);
  return { url, stop: graceMs => stop(listener, graceMs) };
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port only');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
