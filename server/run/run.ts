import { messageOf } from '../../brand/profile/thrown.ts';
import { type Config, refuseExposed } from '../config/config.ts';
import { logFault } from '../config/fault-log.ts';
import type { Log } from '../config/log.ts';
import { openedWhenAsked } from '../outbox/database.ts';
import {
  modeOf,
  openSubmissions,
  refuseForeign,
  refuseWithoutMail,
  serverMailer,
} from '../outbox/open-submissions.ts';
import type { AdminServer } from './admin.ts';
import { createModelSource, loadBrand } from './load-brand.ts';
import { createObservers } from './observers.ts';
import { createReload } from './reload.ts';
import type { Parts } from './service.ts';
import type { RunningServer } from './start.ts';

/** What answers: a listener of our own, or a part of somebody else's. */
type Answering = Pick<RunningServer, 'use' | 'fillDocuments' | 'stop'>;

/** A document that is asked for before is made then; the others keep no first question waiting. */
const DOCUMENTS_AFTER_MS = 1000;

/** Longer than the slowest delivery a request can be waiting for. */
const GRACE_MS = 13_000;

/** Requests and sends together: below the 15 s that docs/operations.md promises. What is cut off here is sent after the next start. */
const STOP_WITHIN_MS = 14_500;

/**
 * Opens everything that the configuration names, and starts a server on it.
 * @throws Error, in words for the operator, when profile, model, data directory or address are at fault
 */
export async function run<Server extends Answering>(
  config: Config,
  ownLog: Log,
  start: (parts: Parts) => Promise<Server>,
) {
  refuseExposed(config);
  const mode = modeOf(config);
  const database = openedWhenAsked(config, ownLog);
  const observers = await createObservers(config, ownLog, { database, mode, inUse: () => inUse });
  const { log } = observers;
  const model = createModelSource(config, log);
  let inUse = await loadBrand(config, log, { model, database, early: true }).catch((error: unknown) => {
    if (!config.startWithoutBrand) throw error;
    log('error', 'brand', {
      fault: messageOf(error),
      effect: 'questions are answered with 503 not_configured',
    });
    return undefined;
  });
  refuseWithoutMail(config, inUse?.profile);
  const mailer = serverMailer(config);
  const outbox = openSubmissions(config, { mailer, mode, profile: () => inUse?.profile, log, database });
  const givenUp = async (fault: unknown, admin?: AdminServer): Promise<never> => {
    admin?.close();
    await outbox.close();
    throw fault;
  };
  await refuseForeign(outbox, inUse?.profile).catch(givenUp);
  const { host, port = 0 } = config.admin;
  const admin = await observers.open().catch(error => givenUp(listenFault(error, { host, port }, 'ADMIN_')));
  const brand = inUse && observers.counting(inUse);
  const server = await start({ config, brand, log, outbox }).catch(error =>
    givenUp(listenFault(error, config), admin),
  );
  const filling = setTimeout(() => {
    server.fillDocuments().catch(fault => logFault(log, { route: 'documents' }, fault));
  }, DOCUMENTS_AFTER_MS).unref();
  const reload = createReload(log, async () => {
    const next = await loadBrand(config, log, { model, database });
    refuseWithoutMail(config, next.profile);
    await refuseForeign(outbox, next.profile);
    await server.use(observers.counting(next));
    inUse = next;
    return next;
  });
  return {
    server,
    log,
    reload,
    admin: admin?.url,
    inUse: () => inUse,
    /** Goes on for `drainMs`, then finishes the requests and sends under way, within 15 seconds. */
    async close(drainMs = 0) {
      const stopBy = performance.now() + drainMs + STOP_WITHIN_MS;
      clearTimeout(filling);
      await server.stop(GRACE_MS, drainMs);
      // Until here it tells load balancers that this instance is stopping.
      admin?.close();
      await outbox.close(stopBy - performance.now());
    },
  };
}

/** Why the address cannot be listened on, with the next step. */
function listenFault(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  prefix: '' | 'ADMIN_' = '',
): Error {
  if (host.startsWith('unix:')) {
    const fix = 'give this user its directory, or stop what listens there';
    return new Error(`${host} cannot be listened on (${error.code}): ${fix}`, { cause: error });
  }
  const fix = LISTEN_FIXES[error.code ?? ''];
  return fix === undefined
    ? error
    : new Error(`${prefix}PORT: ${host}:${port} ${fix(port, prefix)}`, { cause: error });
}

const LISTEN_FIXES: Readonly<Record<string, (port: number, prefix: string) => string>> = {
  EADDRINUSE: (port, prefix) =>
    `is in use: stop what listens there, or take another port: ${prefix}PORT=${port + 1}`,
  EACCES: () => 'is not for this user: take a port above 1023, and let a proxy listen on 80 and 443',
  EADDRNOTAVAIL: (_, prefix) => `is no address of this machine: ${prefix}HOST=0.0.0.0 listens on all it has`,
  ENOTFOUND: (_, prefix) =>
    `is no address: ${prefix}HOST=127.0.0.1 listens for this machine, 0.0.0.0 for all others too`,
};
