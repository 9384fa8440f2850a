import type { ActionName } from '../../brand/profile/action-schema.ts';

// Published types follow imports: these stand apart from tools.ts, whose imports reach the types of h3.

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
