import { createObservers } from '../../admin/observers.ts';
import { createModelSource, loadBrand, loadBrandIfPossible } from '../../brand/load-brand.ts';
import { watchBrand } from '../../brand/reload.ts';
import { type Config, misspelled, readConfig } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { startServer } from '../../start.ts';
import { modeOf, openSubmissions, refuseUnusable, serverMailer } from '../../submissions/submissions.ts';
import { banner } from './banner.ts';

/** Longer than the slowest delivery a request can be waiting for. */
const GRACE_MS = 13_000;

/** Requests and sends together: below the 15 s that the README promises. What is cut off here is sent after the next start. */
const STOP_WITHIN_MS = 14_500;

/**
 * Runs the server until SIGTERM or SIGINT; a second signal ends the process at once.
 * @throws Error, in words for the operator, when configuration, profile, model, data directory or address are at fault
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  const format = config.logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const observers = await createObservers(config, createLog(undefined, format), () => ({
    database: outbox.database,
    mode: modeOf(config),
    inUse: () => inUse,
  }));
  const { log } = observers;
  for (const warning of misspelled(environment)) log('warn', 'configuration', { warning });
  const model = createModelSource(config, log);
  let inUse = await loadBrandIfPossible(config, log, { model });
  const mailer = await serverMailer(config);
  const outbox = openSubmissions(config, { mailer, mode: modeOf(config), brandName: () => inUse?.name, log });
  await refuseUnusable(outbox);
  const admin = await observers.open().catch(async error => {
    await outbox.close();
    throw listenFault(error, { host: config.admin.host, port: config.admin.port ?? 0 });
  });
  const brand = inUse && observers.counting(inUse);
  const server = await startServer({ config, brand, log, outbox }).catch(async error => {
    admin?.close();
    await outbox.close();
    throw listenFault(error, config);
  });
  const use: typeof server.use = async next => {
    await server.use(next && observers.counting(next));
    inUse = next;
  };
  const load = () => loadBrand(config, log, { model });
  const stopWatching = watchBrand({ load, use, log, files: watched(config) });
  const started = { url: server.url, brand: brand?.name, ...(admin && { admin: admin.url }) };
  if (format === 'text') process.stderr.write(banner(config, started));
  else log('info', 'listening', started);

  const signal = await nextSignal();
  void nextSignal().then(() => process.exit(1));
  const stopBy = performance.now() + STOP_WITHIN_MS;
  log('info', 'stopping', { signal });
  stopWatching();
  admin?.close();
  await server.stop(GRACE_MS);
  await outbox.close(stopBy - performance.now());
  log('info', 'stopped');
  setImmediate(() => process.exit());
}

/** Why the address cannot be listened on, with the next step. */
function listenFault(error: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  const fix = LISTEN_FIXES[error.code ?? ''];
  return fix === undefined ? error : new Error(`${host}:${port} ${fix(port)}`, { cause: error });
}

const LISTEN_FIXES: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: port => `is in use: stop what listens there, or take another port: PORT=${port + 1} npm start`,
  EACCES: () => 'is not for this user: take a port above 1023, and let a proxy listen on 80 and 443',
  EADDRNOTAVAIL: () => 'is no address of this machine: HOST=0.0.0.0 listens on all it has',
  ENOTFOUND: () => 'is no address: HOST=127.0.0.1 listens for this machine, 0.0.0.0 for all others too',
};

function watched({ brandWatch, brandFile, brandJwks }: Config): string[] {
  return brandWatch ? [brandFile, ...(brandJwks === undefined ? [] : [brandJwks])] : [];
}

function nextSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  });
}
