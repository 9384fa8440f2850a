import { identity, type Presentation } from '../../tools/presentation.ts';
import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import type { Tool } from '../../tools/tool.ts';
import { MCP_PATH } from './document.ts';
import { limitRows } from './limit-rows.ts';
import type { Site } from './site.ts';

/**
 * The body of GET /mcp: what this endpoint is, for whoever opens it without speaking MCP.
 * @param off what is not served: its limits are not listed
 */
export function mcpDescriptor(tools: readonly Tool[], presentation: Presentation, off: Site['off']) {
  const { baseUrl, policies } = presentation;
  return {
    ...identity(presentation),
    protocolVersion: REVISIONS.handshake,
    supportedProtocolVersions: SUPPORTED_REVISIONS,
    transport: { type: 'streamable-http', url: `${baseUrl}${MCP_PATH}`, responses: 'application/json' },
    authentication: 'none',
    tools: tools.map(tool => {
      const { name, title, description } = tool.describe(presentation);
      return { name, title, description };
    }),
    limits: limitRows({ policies, off, tools }),
  };
}
