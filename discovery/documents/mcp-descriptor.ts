import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { MCP_PATH } from './document.ts';
import { limitRows } from './limit-rows.ts';
import type { Site } from './site.ts';

/** The body of GET /mcp: what this endpoint is, for whoever opens it without speaking MCP. */
export const mcpDescriptor = (site: Site): object => ({
  ...site.serverInfo,
  protocolVersion: REVISIONS.handshake,
  supportedProtocolVersions: SUPPORTED_REVISIONS,
  transport: { type: 'streamable-http', url: `${site.baseUrl}${MCP_PATH}`, responses: 'application/json' },
  authentication: 'none',
  tools: site.tools.map(({ name, title, description }) => ({ name, title, description })),
  limits: limitRows(site),
});
