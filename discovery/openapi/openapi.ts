/*
 * This room is the OpenAPI 3.1 description of the service, /openapi.json.
 * In: a `Site` (discovery/documents/site.ts): its tools, routes, limits and switches.
 * Out: one JSON text. Operations come from the routes, schemas from the tools.
 */
import { SERVICE } from '../../tools/service-facts.ts';
import { type Documents, targets } from '../documents/document.ts';
import { hasActions } from '../documents/guidance.ts';
import { contactEmail } from '../documents/identity.ts';
import { limitRows } from '../documents/limit-rows.ts';
import type { Site } from '../documents/site.ts';
import { headerComponents } from './responses.ts';
import { schemaComponents } from './schemas.ts';
import { servicePaths } from './service-operations.ts';
import { IDEMPOTENCY_KEY, tagsOf, toolPaths } from './tool-operations.ts';

/**
 * The API as OpenAPI 3.1, on one line: indentation would make it nearly twice as large, and models pay for
 * each byte.
 * @example const text = openapi(site, documents);
 */
export function openapi(site: Site, documents: Documents): string {
  const [reference] = targets(site, documents, '/docs', '/llms.txt');
  const description = {
    openapi: '3.1.1',
    info: info(site),
    ...(reference && { externalDocs: { url: reference.href, description: 'The same in words.' } }),
    servers: [{ url: site.baseUrl, description: where(site) }],
    security: [],
    tags: tagsOf(site),
    paths: { ...toolPaths(site), ...servicePaths(site) },
    components: {
      schemas: schemaComponents(site),
      ...(hasActions(site) && { parameters: { IdempotencyKey: IDEMPOTENCY_KEY } }),
      headers: headerComponents(site),
    },
  };
  return `${JSON.stringify(description)}\n`;
}

function where(site: Site): string {
  if (site.mode === 'production')
    return `Production.${hasActions(site) ? ' There is no sandbox: what is submitted reaches people.' : ''}`;
  return `Development.${hasActions(site) ? ' A dry run: mail goes to files, and a success carries the member `mode`.' : ''}`;
}

function info(site: Site) {
  const { baseUrl, brandName, profile } = site;
  const forms = hasActions(site);
  const email = contactEmail(site);
  return {
    title: `${site.serverInfo.title}: site API`,
    version: SERVICE.apiVersion,
    summary: `Questions about ${brandName}${forms ? ', its forms, and both as MCP tools' : ', also as an MCP tool'}.`,
    description: [
      `Answers questions about ${brandName} from its brand profile (${baseUrl}/.well-known/brand.json)${forms ? ', takes the' : ','}`,
      forms
        ? 'forms of its website, and offers all of them as tools of the Model Context Protocol (POST /mcp).'
        : 'also as a tool of the Model Context Protocol (POST /mcp).',
      ...(profile ? [] : ['No profile is loaded now: questions are answered with 503.']),
      '',
      'There is no authentication: every operation is public, needs no key, and is subject to limits per client (an IP',
      'address; of IPv6 its /64 network):',
      '',
      ...limitRows(site).map(({ scope, text }) => `- ${scope}: ${text}`),
      '',
      'A request that is not valid HTTP, arrives too slowly or has too large headers is refused with 400, 408 or 431 and',
      'an ApiError.',
    ].join('\n'),
    contact: { name: site.serverInfo.title, url: baseUrl, ...(email && { email }) },
    license: { name: 'MIT (the software, not the content)', identifier: 'MIT' },
  };
}
