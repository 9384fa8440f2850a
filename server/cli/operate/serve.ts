import { SERVICE } from '../../../tools/service.ts';
import { loadBrand, loadBrandIfPossible } from '../../brand/load-brand.ts';
import { watchBrand } from '../../brand/reload.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { startServer } from '../../start.ts';
import { openSubmissions, serverMailer } from '../../submissions/submissions.ts';

/** Longer than the slowest delivery a request can be waiting for. */
const GRACE_MS = 13_000;

/** Requests and sends together: below the 15 s that the README promises. What is cut off here is sent after the next start. */
const STOP_WITHIN_MS = 14_500;

/**
 * Runs the server until SIGTERM or SIGINT; a second signal ends the process at once.
 * @throws Error, in words for the operator, when configuration, profile, model, data directory or address are at fault
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const config = readConfig(environment);
  const brand = await loadBrandIfPossible(config, log);
  const brandName = brand?.name ?? SERVICE.title;
  const outbox = await openSubmissions(config, { mailer: await serverMailer(config), brandName, log });
  const server = await startServer({ config, brand, log, outbox }).catch(async error => {
    await outbox.close();
    throw error;
  });
  const stopWatching = watchBrand({ load: () => loadBrand(config, log), use: server.use, log, files: watched(config) });
  log('info', 'listening', { url: server.url, brand: brand?.name, try: `${server.url}/ask?q=precio` });

  const signal = await nextSignal();
  void nextSignal().then(() => process.exit(1));
  const stopBy = performance.now() + STOP_WITHIN_MS;
  log('info', 'stopping', { signal });
  stopWatching();
  await server.stop(GRACE_MS);
  await outbox.close(stopBy - performance.now());
  log('info', 'stopped');
  setImmediate(() => process.exit());
}

function watched({ brandWatch, brandFile, brandJwks }: Config): string[] {
  return brandWatch ? [brandFile, ...(brandJwks === undefined ? [] : [brandJwks])] : [];
}

function nextSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  });
}
