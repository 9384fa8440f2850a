import type { CallResult } from '../mcp/messages.ts';
import type { AvalServer } from './create-server.ts';
import type { RegisteredTool, Selection } from './tools.ts';

/** An MCP server of the official SDK: McpServer of @modelcontextprotocol/server (v2) or of @modelcontextprotocol/sdk (v1). */
export interface ToolHost {
  registerTool(
    name: string,
    config: RegisteredTool['config'],
    run: (input: Record<string, unknown>, context: unknown) => Promise<CallResult>,
  ): unknown;
}

export interface RegisterOptions extends Selection {
  /** Whose limits a call counts for, from what the SDK says of it. Default: all callers are one client. */
  readonly client?: (context: unknown) => string;
}

/**
 * Puts ask_brand, request_diagnostic and apply_partner_program on an MCP server that is there already, with the errors and
 * limits that they have everywhere. With a prefix each, several brands share one server.
 * @throws Error for a name in `only` that no tool has
 */
export function registerTools(
  host: ToolHost,
  aval: AvalServer,
  { client = () => 'all', ...selection }: RegisterOptions = {},
): void {
  for (const { name, config, call } of aval.select(selection).tools) {
    host.registerTool(name, config, (input, context) => call(input, client(context)));
  }
}
