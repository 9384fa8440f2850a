import { asServiceError } from '../../tools/errors.ts';
import { logFault } from '../config/log.ts';
import { type CallableTool, type CallScope, callTool, failure, toolConfig } from '../mcp/tools.ts';
import type { Service } from '../run/service.ts';
import type { ToolSelection } from './create-server.ts';

/** The selected tools of a service. @throws Error for a name in `only` that no tool has */
export function selectTools(service: Service, selection: ToolSelection = {}): CallableTool[] {
  const { only, prefix = '', client = () => 'all' } = selection;
  const { tools } = service.site;
  const names = tools.map(({ name }) => name);
  const chosen: readonly string[] = only ?? names;
  const unknown = chosen.find(name => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`only: no tool is called ${unknown}; there are ${names.join(', ')}`);
  return tools
    .filter(({ name }) => chosen.includes(name))
    .map(tool => {
      const config = toolConfig(tool);
      return {
        name: `${prefix}${tool.name}`,
        config: { ...config, description: withPrefix(config.description, names, prefix) },
        async call(input, context) {
          const scope = scopeOf(service, tool.name, client(context));
          try {
            await scope.admission.take('mcp');
          } catch (fault) {
            return failure(asServiceError(fault));
          }
          return callTool(tool, input, context, scope);
        },
      };
    });
}

/** Text about these tools for the `instructions` of an MCP server. */
export function instructionsFor(service: Service, prefix = ''): string {
  const { instructions, tools } = service.site;
  return withPrefix(
    instructions,
    tools.map(({ name }) => name),
    prefix,
  );
}

const withPrefix = (text: string, names: readonly string[], prefix: string): string =>
  text.replace(new RegExp(`\\b(${names.join('|')})\\b`, 'g'), `${prefix}$1`);

function scopeOf(service: Service, route: string, client: string): CallScope {
  const { admissionFor, log } = service.responder;
  const clientHash = service.clientHash(client);
  return {
    context: idempotencyKey => ({
      origin: { channel: 'mcp', clientHash, idempotencyKey },
      ...service.backend,
    }),
    admission: admissionFor({ clientHash }),
    report: fault => void logFault(log, { route }, fault),
  };
}
