import { CAPABILITIES } from '../../tools/introduction.ts';
import { REVISIONS, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { type Documents, jsonDocument, MCP_PATH, targets } from './document.ts';
import { limitRows, trust } from './guidance.ts';
import { domain, shortDescription } from './identity.ts';
import type { Site } from './site.ts';

/** The server card of SEP-2127. It lists no tools: tools/list does. */
export const serverCard = (site: Site): string => jsonDocument(card(site));

/**
 * The same card with serverInfo, transport and tools, which scanners of the older SEP-1649 read. It is valid
 * under SEP-2127, whose objects are open.
 */
export function serverCardSuperset(site: Site, documents: Documents): string {
  const endpoint = `${site.baseUrl}${MCP_PATH}`;
  const [documentation] = targets(site, documents, '/docs', '/llms.txt');
  return jsonDocument({
    ...card(site),
    protocolVersion: REVISIONS.handshake,
    serverInfo: site.serverInfo,
    serverUrl: endpoint,
    transport: { type: 'streamable-http', endpoint, url: endpoint },
    capabilities: CAPABILITIES,
    authentication: { required: false, schemes: [] },
    ...(documentation && { documentationUrl: documentation.href }),
    instructions: `${site.instructions} ${trust(site)}`,
    tools: site.tools.map(tool => {
      const { outputSchema: _, ...described } = tool.listing();
      return described;
    }),
  });
}

function card(site: Site) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    // `example.acme/aval`: the domain reversed, one slash, the service.
    name: `${domain(site).split('.').reverse().join('.')}/${SERVICE.name}`,
    // At most 100 characters, as of the description.
    title: site.brandName.length <= 100 ? site.brandName : SERVICE.title,
    description: shortDescription(site),
    version: SERVICE.version,
    websiteUrl: site.baseUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${site.baseUrl}${MCP_PATH}`,
        supportedProtocolVersions: SUPPORTED_REVISIONS,
      },
    ],
  };
}

/** The body of GET /mcp: it describes the endpoint to clients that do not speak MCP. */
export const mcpDescriptor = (site: Site): object => ({
  ...site.serverInfo,
  protocolVersion: REVISIONS.handshake,
  supportedProtocolVersions: SUPPORTED_REVISIONS,
  transport: { type: 'streamable-http', url: `${site.baseUrl}${MCP_PATH}`, responses: 'application/json' },
  authentication: 'none',
  tools: site.tools.map(({ name, title, description }) => ({ name, title, description })),
  limits: limitRows(site),
});
