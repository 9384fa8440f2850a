import { asServiceError } from '../../tools/errors.ts';
import { logFault } from '../config/log.ts';
import { type CallableTool, type CallScope, callTool, failure, toolConfig } from '../mcp/tools.ts';
import type { Server } from '../run/server.ts';

/** The tools of a server, for another MCP server. */
export function toolsFor(server: Server, client: (context: unknown) => string = () => 'all'): CallableTool[] {
  return server.app.site.tools.map(tool => ({
    name: tool.name,
    config: toolConfig(tool),
    async call(input, context) {
      const scope = scopeOf(server, tool.name, client(context));
      try {
        await scope.admission.take('mcp');
      } catch (fault) {
        return failure(asServiceError(fault));
      }
      return callTool(tool, input, context, scope);
    },
  }));
}

function scopeOf({ app, shared }: Server, route: string, client: string): CallScope {
  const { admissionFor, log } = shared.responder;
  const clientHash = shared.clientHash(client);
  return {
    context: idempotencyKey => ({
      origin: { channel: 'mcp', clientHash, idempotencyKey },
      ...app.backend,
    }),
    admission: admissionFor({ clientHash }),
    report: fault => void logFault(log, { route }, fault),
  };
}
