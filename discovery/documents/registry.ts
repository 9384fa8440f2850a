import { jsonDocument } from './document.ts';
import { MCP_PATH } from './paths.ts';
import { introduction } from './server-card.ts';
import type { Site } from './site.ts';

/** server.json of the official MCP registry: a server that is only called, with nothing to install. */
export function registryServer(site: Pick<Site, 'baseUrl' | 'brandName' | 'profile'>): string {
  return jsonDocument({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...introduction(site),
    remotes: [{ type: 'streamable-http', url: `${site.baseUrl}${MCP_PATH}` }],
  });
}
