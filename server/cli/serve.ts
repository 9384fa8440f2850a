import { closeEncoders } from '../../brand/retrieval/model.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { chooseBrand } from '../config/chosen-brand.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { unknownSettings } from '../config/unknown-settings.ts';
import { run } from '../run/run.ts';
import { startServer } from '../run/start.ts';
import { banner } from './banner.ts';

/**
 * Runs the server until SIGTERM or SIGINT; a second signal ends the process at once. SIGHUP reloads the profile.
 * @throws Error, in words for the operator, when configuration, profile, model, data directory or address are at fault
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const chosen = await chooseBrand({ environment, isServer: true });
  const config = readConfig(chosen.environment);
  const format = config.logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  const ownLog = createLog({ format, site: config.site });
  ownLog('info', 'configuration', { says: chosen.says?.[0] });
  for (const warning of unknownSettings(environment)) ownLog('warn', 'configuration', { warning });
  const { server, log, inUse, admin, reload, close } = await run(config, ownLog, startServer);
  process.on('SIGHUP', reload);
  const { version } = SERVICE;
  const { answeredBy } = inUse() ?? {};
  const started = { url: server.url, brand: inUse()?.name, version, ...(admin && { admin }) };
  if (format === 'text') process.stderr.write(banner(config, { ...started, answeredBy }));
  else log('info', 'listening', started);

  const signal = await nextSignal();
  void nextSignal().then(() => process.exit(1));
  log('info', 'stopping', { signal });
  // Ctrl+C is a person at a terminal, and no load balancer in front.
  await close(signal === 'SIGTERM' ? config.drainSeconds * 1000 : 0);
  await closeEncoders();
  log('info', 'stopped');
  setImmediate(() => process.exit());
}

function nextSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => resolve(name));
  });
}
