import { once } from 'node:events';
import type { Feature } from '../../discovery/documents/site.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { type Config, type MailConfig, readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { unknownSettings } from '../config/settings.ts';
import { Server } from '../run/server.ts';
import { chooseBrand } from './chosen-brand.ts';

/**
 * `aval serve`: runs the server until SIGTERM or SIGINT. A second signal ends the process at once. SIGHUP
 * reloads the profile.
 * @throws Error for the operator if settings, profile, model, data directory or address have a fault
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const chosen = await chooseBrand({ environment, isServer: true });
  const config = readConfig(chosen.environment);
  const format = process.stderr.isTTY ? 'text' : 'json';
  const startLog = createLog({ format, site: config.site });
  startLog('info', 'configuration', { message: chosen.notice });
  for (const warning of unknownSettings(environment)) startLog('warn', 'configuration', { warning });
  const server = new Server(config, startLog);
  const stopping = nextSignal();
  const starting = server.start();
  // During the start too, which may have read an older profile. A failed start throws below.
  process.on('SIGHUP', () => starting.then(() => server.reload()).catch(() => {}));
  const url = await Promise.race([starting, stopping.then(() => undefined)]);
  if (url === undefined) {
    // A signal came while the claims were read.
    await server.close();
    process.exit(0);
  }
  const { log, brand } = server;
  if (format === 'text') process.stderr.write(banner(config, url, brand?.name));
  else
    log('info', 'listening', { url, brand: brand?.name, version: SERVICE.version, admin: server.admin?.url });

  const [signal] = await stopping;
  void nextSignal().then(() => process.exit(1));
  log('info', 'stopping', { signal });
  // Ctrl+C comes from a person at a terminal, where no load balancer needs a drain.
  await server.close(signal === 'SIGTERM' ? config.drainSeconds * 1000 : 0);
  log('info', 'stopped');
  setImmediate(() => process.exit());
}

const nextSignal = () => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

/** Lines for a person at a terminal, after the start. */
function banner(config: Config, url: string, brand: string | undefined) {
  const { baseUrl: base = url, publishing, production, mail, dataDirectory } = config;
  const example = config.isExample ? ', the bundled example; BRAND_FILE names your own' : '';
  const page = (feature: Feature, path: string) =>
    publishing.off.has(feature) ? undefined : `${base}${path}`;
  const rows = {
    brand: brand === undefined ? 'none: questions are answered with 503' : `${brand}${example}`,
    page: page('home', '/'),
    docs: page('docs', '/docs'),
    MCP: `${base}/mcp`,
    mail: production ? mailLine(mail) : `dry run: files in ${dataDirectory}`,
    try: `curl -s --get ${url}/ask --data-urlencode 'q=precio'`,
    connect: `claude mcp add --transport http aval ${base}/mcp`,
    stop: 'Ctrl+C',
  };
  const lines = Object.entries(rows).map(([name, text]) =>
    text === undefined ? '' : `  ${name.padEnd(9)}${text}\n`,
  );
  return `\n${SERVICE.title} ${SERVICE.version}\n\n${lines.join('')}\n`;
}

/** Without a provider only a profile without actions is served in production. */
function mailLine({ provider, to }: MailConfig): string {
  if (provider === undefined) return 'none: the profile has no actions';
  return `to ${to} through ${provider.name}`;
}
