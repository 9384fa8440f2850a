import { limitRows, type Policies } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Tool } from '../../tools/tool.ts';

interface Served {
  readonly baseUrl: string;
  /** What is not served: its limits are not listed. */
  readonly off: ReadonlySet<string>;
}

/** The body of GET /mcp: what this endpoint is, for whoever opens it without speaking MCP. */
export function descriptor(tools: readonly Tool[], policies: Policies, { baseUrl, off }: Served) {
  return {
    name: SERVICE.name,
    title: SERVICE.title,
    version: SERVICE.version,
    protocolVersion: SERVICE.protocolVersion,
    supportedProtocolVersions: SERVICE.supportedProtocolVersions,
    transport: { type: 'streamable-http', url: `${baseUrl}/mcp`, responses: 'application/json' },
    authentication: 'none',
    tools: tools.map(tool => ({ name: tool.name, title: tool.title, description: tool.describe(policies) })),
    limits: limitRows(policies, off),
  };
}
