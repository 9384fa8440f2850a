import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Mode } from '../../tools/deliver.ts';
import type { Backend } from '../../tools/tool.ts';
import { type Config, servesAnyHost } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery, type Clock, HOUR_MS } from '../config/timing.ts';
import { createClientHash, createClientKey } from '../http/client-key.ts';
import { createInWork, createTurns } from '../http/in-work.ts';
import { createGate } from '../http/origin.ts';
import { createRefusalHeaders, type ResponderParts } from '../http/respond.ts';
import { createAdmissions } from '../limits/admission.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { installationSecret } from '../outbox/installation.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Database } from '../outbox/sql.ts';
import { createAskLog } from './ask-log.ts';

interface SharedParts {
  readonly config: Config;
  /** Address of the server, if BASE_URL is not set. */
  readonly url: string;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly mode: Mode;
  /** Names a client by a hash: of its address, or of an MCP session. */
  readonly clientHash: (client: string) => string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

export type Shared = ReturnType<typeof createShared>;

/** Makes what outlives a reload: who may call, who has called how often, and where submissions go. */
export function createShared(parts: SharedParts) {
  const { config, url, log, outbox, mode, clientHash, clock } = parts;
  const { allowedHosts, allowedOrigins, baseUrl = url, keepAsked, policies, proxies } = config;
  const { now, monotonic } = clock;
  const anyHost = servesAnyHost(config);
  const logUntrustedProxy = () => log('warn', 'proxy', UNTRUSTED_PROXY);
  if (anyHost) log('warn', 'configuration', { warning: anyHostWarning(config.host, url) });
  const backend: Omit<Backend, 'brand'> = {
    recordQuestion: createAskLog({ database: outbox.database, keep: keepAsked, now, log }),
    deliver: submission => outbox.deliver(submission),
    mode,
    now: () => new Date(now()),
  };
  const responder: ResponderParts = {
    baseUrl,
    log,
    inWork: createInWork(),
    turn: createTurns(),
    clientKey: createClientKey({
      proxies,
      hash: clientHash,
      onUntrustedForward: atMostEvery(HOUR_MS, monotonic, logUntrustedProxy),
    }),
    admissionFor: createAdmissions({
      limiter: createMinuteLimiter({ policies, monotonicMs: monotonic }),
      readHourly: (client, channel) => outbox.hourlyStates({ ...client, channel }),
      limitsUrl: `${baseUrl}/llms.txt`,
    }),
  };
  return {
    config,
    now,
    clientHash,
    gate: createGate({ baseUrl, allowedHosts, allowedOrigins, anyHost, isLocal: mode === 'dry-run' }),
    responder,
    refusalHeaders: createRefusalHeaders(responder),
    backend,
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

/** Wait before a database that failed is asked again. */
const RETRY_MS = 1000;

/**
 * Makes the hash of clients. Its secret is in the database, so limits survive a restart. While the database
 * does not answer, a random secret is used, and later clients make it ask again.
 */
export async function openClientHash(database: Database): Promise<(client: string) => string> {
  let hash = createClientHash(randomBytes(32));
  let isLasting = false;
  const read = async () => {
    const secret = await installationSecret(database, 'client-key').catch(() => undefined);
    if (secret === undefined) return;
    hash = createClientHash(secret);
    isLasting = true;
  };
  const readAgain = atMostEvery(RETRY_MS, () => performance.now(), read);
  await read();
  return client => {
    if (!isLasting) readAgain();
    return hash(client);
  };
}
