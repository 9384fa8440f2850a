import { routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { A2A_PATH, type Documents, jsonDocument, MCP_PATH, type Target, targets } from './document.ts';
import type { Site } from './site.ts';

export const API_CATALOG_PATH = '/.well-known/api-catalog';

/** The API catalog: where the APIs are and what describes them (RFC 9727, a linkset of RFC 9264). */
export function apiCatalog(site: Site, documents: Documents): string {
  const link = (...paths: string[]) => targets(site, documents, ...paths);
  const status: Target = { href: `${site.baseUrl}${STATUS_PATH}`, type: 'application/json' };
  const mcp: Target = {
    href: `${site.baseUrl}${MCP_PATH}`,
    type: 'application/json',
    title: `${site.serverInfo.title}: MCP server`,
  };
  const description = {
    'service-desc': link('/openapi.json'),
    'service-doc': link('/docs', '/llms.txt', '/AGENTS.md'),
    'service-meta': link('/.well-known/ai-catalog.json', '/.well-known/agent-skills/index.json'),
  };
  const contexts = [
    // Some readers look at the first context alone, so it has the items.
    context(site, API_CATALOG_PATH, { item: [...link('/openapi.json'), mcp] }),
    // Each path stands alone: a common prefix such as /api/v1 would be a 404.
    ...[...new Set(routesOf(site.tools).map(({ path }) => path))].map(path =>
      context(site, path, { ...description, status: [status] }),
    ),
    context(site, MCP_PATH, {
      'service-desc': link('/mcp/server-card', '/.well-known/mcp/server-card.json'),
      'service-meta': link('/.well-known/ai-catalog.json'),
    }),
    ...(site.off.has('a2a')
      ? []
      : [context(site, A2A_PATH, { 'service-desc': link('/.well-known/agent-card.json') })]),
  ];
  return jsonDocument({ linkset: contexts });
}

/** An anchor with its relations; one without targets is left out. */
function context(
  { baseUrl }: Site,
  path: string,
  relations: Readonly<Record<string, readonly Target[]>>,
): object {
  const filled = Object.entries(relations).filter(([, list]) => list.length > 0);
  return { anchor: `${baseUrl}${path}`, ...Object.fromEntries(filled) };
}
