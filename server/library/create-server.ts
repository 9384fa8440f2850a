import type { ActionName } from '../../brand/profile/action-schema.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { createLog, type Log } from '../config/log.ts';
import { unknownSettings } from '../config/settings.ts';
import type { Middleware } from '../http/middleware.ts';
import type { CallableTool } from '../mcp/tools.ts';
import { Server } from '../run/server.ts';
import { instructionsFor, selectTools } from './tools.ts';

/** Settings by the names of the environment variables, all of them in .env.example: an environment is one. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface ServerOptions {
  /** Takes every line of the log in place of stderr; nothing personal is in it. */
  readonly log?: Log;
}

/** The contract's tools; a profile may switch actions off. */
export type ToolName = 'ask_brand' | ActionName;

/** Which tools an MCP server gets, under which names, and whose limits their calls count for. */
export interface ToolSelection {
  /** Names of the tools that it gets. Default: all. */
  readonly only?: readonly ToolName[];
  /** Put before each name, in what the tools say of each other too: `acme_` makes `acme_ask_brand`. */
  readonly prefix?: string;
  /**
   * Names the client of a call, from what the SDK tells the tool: a session or a user, never an address. Only
   * a hash of it is kept. Default: all callers are one client.
   */
  readonly client?: (context: unknown) => string;
}

export interface AvalServer {
  /**
   * For node:http, Connect and Express: answers the paths of Aval and hands all others to `next`. Put it
   * before whatever reads bodies, and at the root: its paths are fixed.
   */
  readonly handler: Middleware;
  /**
   * The tools for `registerTools`, in the words of the profile in use now. A call is answered from the one in
   * use then.
   * @throws Error for a name in `only` that no tool has
   */
  readonly tools: (selection?: ToolSelection) => readonly CallableTool[];
  /** What a model should read first of these tools, for the `instructions` of the server that has them. */
  readonly instructions: (prefix?: string) => string;
  /**
   * Listens on HOST and PORT by itself, with the limits on connections that a server of yours has in its own
   * way.
   * @returns its address
   * @throws Error when it cannot be listened on
   */
  readonly start: () => Promise<string>;
  /**
   * Reads the profile again, as SIGHUP does for `aval serve`; a broken one is logged, and the one in use
   * stays.
   */
  readonly reload: () => Promise<void>;
  /** Finishes open requests and mails, within 15 seconds. Call it once. */
  readonly close: () => Promise<void>;
}

/**
 * The whole service, to be mounted in a server that is there already. Signals are left to the program it is
 * part of.
 * @param settings BASE_URL is needed: documents and checks of the Host header are made of it
 * @throws Error naming every fault of settings, profile, model or data directory
 * @example
 * const aval = await createServer({ BASE_URL: 'https://acme.example', BRAND_FILE: 'brand.json' });
 * const site = express().use(aval.handler);
 */
export async function createServer(settings: Settings, { log }: ServerOptions = {}): Promise<AvalServer> {
  const config = readConfig(settings);
  const { baseUrl } = config;
  const logLine = log ?? createLog({ site: config.site });
  if (baseUrl === undefined)
    throw new ConfigError('BASE_URL: is needed, the public origin of the site, https://acme.example');
  for (const warning of unknownSettings(settings)) logLine('warn', 'configuration', { warning });
  const server = new Server(config, logLine);
  await server.open();
  const service = await server.mount(baseUrl);
  return {
    handler: service.handler,
    tools: selection => selectTools(service, selection),
    instructions: prefix => instructionsFor(service, prefix),
    start: () => server.listen(),
    reload: () => server.reload(),
    close: () => server.close(),
  };
}
