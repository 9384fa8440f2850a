import { ConfigError, readConfig } from '../config/config.ts';
import { createLog, type Log } from '../config/log.ts';
import { unknownSettings } from '../config/settings.ts';
import type { Middleware } from '../http/middleware.ts';
import type { CallableTool } from '../mcp/tools.ts';
import { Server } from '../run/server.ts';
import { toolsFor } from './tools.ts';

/** Settings by name, as in .env.example. An environment is one. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface ServerOptions {
  /** Receives every log line. Default: stderr. Nothing in it is personal. */
  readonly log?: Log;
}

export interface AvalServer {
  /**
   * For node:http, Connect and Express: answers the paths of Aval and passes others to `next`. Mount it at
   * the root, because its paths are fixed, and before any body parser.
   */
  readonly handler: Middleware;
  /**
   * The tools for `registerTools`, with texts of the profile in use now. A call uses the profile in use then.
   * @param client names the client of a call from the SDK's context: a session or a user, never an address.
   * Only a hash is kept. Default: all callers are one client
   */
  readonly tools: (client?: (context: unknown) => string) => readonly CallableTool[];
  /** Text about these tools for the `instructions` of the MCP server. */
  readonly instructions: () => string;
  /**
   * Reads the profile again, as `aval serve` does on SIGHUP. A broken one is logged and not used.
   */
  readonly reload: () => Promise<void>;
  /** Finishes open requests and mails, within 15 seconds. Call it once. */
  readonly close: () => Promise<void>;
}

/**
 * The whole service for an existing server. It handles no signals.
 * @param settings must have BASE_URL, which documents and the check of the Host header need
 * @throws Error naming every fault of settings, profile, model or data directory
 * @example
 * const aval = await createServer({ BASE_URL: 'https://acme.example', BRAND_FILE: 'brand.json' });
 * const site = express().use(aval.handler);
 */
export async function createServer(settings: Settings, { log }: ServerOptions = {}): Promise<AvalServer> {
  const config = readConfig(settings);
  const logLine = log ?? createLog({ site: config.site });
  if (config.baseUrl === undefined)
    throw new ConfigError('BASE_URL: is needed, the public origin of the site, https://acme.example');
  for (const warning of unknownSettings(settings)) logLine('warn', 'configuration', { warning });
  const server = new Server(config, logLine);
  await server.open();
  server.admin?.ready();
  return {
    handler: server.handler,
    tools: client => toolsFor(server, client),
    instructions: () => server.app.site.instructions,
    reload: () => server.reload(),
    close: () => server.close(),
  };
}
