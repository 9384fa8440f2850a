import type { WarmableBrand } from '../brand/build-brand.ts';
import { type Config, readConfig } from './config.ts';
import { loadBrand } from './load-brand.ts';
import { createLog, type Log } from './log.ts';
import { startServer } from './start.ts';

/** Longer than the slowest delivery a request can be waiting for. */
const GRACE_MS = 13_000;

/** Frequent words whose scores are prepared after start; a question of other words takes a millisecond more, once. */
const WARM_WORDS = 4000;

/**
 * Runs the server until SIGTERM or SIGINT; a second signal ends the process at once.
 * @throws Error, in words for the operator, when the configuration, the profile, the model or the address is at fault
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const config = readConfig(environment);
  const brand = await loadIfPossible(config, log);
  const server = await startServer({ config, brand: { current: brand }, log });
  const stopWarming = brand?.warm(WARM_WORDS);
  log('info', 'listening', { url: server.url, brand: brand?.name, try: `${server.url}/ask?q=precio` });

  const signal = await nextSignal();
  void nextSignal().then(() => process.exit(1));
  log('info', 'stopping', { signal });
  stopWarming?.();
  await server.stop(GRACE_MS);
  log('info', 'stopped');
  setImmediate(() => process.exit());
}

async function loadIfPossible(config: Config, log: Log): Promise<WarmableBrand | undefined> {
  try {
    return await loadBrand(config, log);
  } catch (error) {
    if (!config.startWithoutBrand) throw error;
    log('error', 'brand', { fault: messageOf(error), effect: 'questions are answered with 503 not_configured' });
    return undefined;
  }
}

function nextSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
