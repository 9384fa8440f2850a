import { logFault } from '../config/log.ts';
import { type CallableTool, type CallScope, callTool, toolConfig } from '../mcp/tools.ts';
import type { Server } from '../run/server.ts';

/** The tools of a server, for another MCP server. */
export function toolsFor(server: Server, client: (context: unknown) => string = () => 'all'): CallableTool[] {
  return server.app.site.tools.map(tool => ({
    name: tool.name,
    config: toolConfig(tool),
    call: (input, context) => callTool(tool, input, context, scopeOf(server, tool.name, client(context))),
  }));
}

function scopeOf({ app, shared }: Server, route: string, client: string): CallScope {
  const { admissionFor, log } = shared.responder;
  const clientHash = shared.clientHash(client);
  const admission = admissionFor({ clientHash });
  return {
    async context(idempotencyKey) {
      await admission.take('mcp');
      return { origin: { channel: 'mcp', clientHash, idempotencyKey }, ...app.backend };
    },
    admission,
    report: fault => void logFault(log, { route }, fault),
  };
}
