/*
 * This room is the OpenAPI 3.1 description of the service, /openapi.json.
 * In: a `Site` (discovery/documents/site.ts): its tools, routes, limits and switches.
 * Out: one JSON text. Operations come from the routes, schemas from the tools.
 */
import { MAX_KEY_LENGTH } from '../../tools/idempotency-key.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { type Documents, targets } from '../documents/document.ts';
import { hasActions, IDEMPOTENCY, limitRows } from '../documents/guidance.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { headerComponents } from './responses.ts';
import { schemaComponents } from './schemas.ts';
import { servicePaths } from './service-operations.ts';
import { toolPaths } from './tool-operations.ts';

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
    servers: [{ url: site.baseUrl, description: modeSentence(site) }],
    security: [],
    tags: tagsOf(site),
    paths: { ...toolPaths(site), ...servicePaths(site) },
    components: {
      schemas: schemaComponents(site.tools),
      ...(hasActions(site) && { parameters: { IdempotencyKey: IDEMPOTENCY_KEY } }),
      headers: headerComponents(site),
    },
  };
  return `${JSON.stringify(description)}\n`;
}

function modeSentence(site: Site): string {
  const isProduction = site.mode === 'production';
  if (!hasActions(site)) return isProduction ? 'Production.' : 'Development.';
  if (isProduction) return 'Production. There is no sandbox: what is submitted reaches people.';
  return 'Development. A dry run: mail goes to files, and a success carries the member `mode`.';
}

function info(site: Site): object {
  const { baseUrl, brandName, serverInfo } = site;
  const email = contactEmail(site);
  const forms = hasActions(site) ? ', takes the forms of its website,' : '';
  return {
    title: `${serverInfo.title}: site API`,
    version: SERVICE.apiVersion,
    summary: `Questions about ${brandName}, over HTTP and as MCP tools.`,
    description: [
      `Answers questions about ${brandName} from its brand profile${forms} and offers the same ` +
        'as tools of the Model Context Protocol (POST /mcp).',
      '',
      'There is no authentication: every operation is public, needs no key, and is subject to ' +
        'limits per client (an IP',
      'address; of IPv6 its /64 network):',
      '',
      ...limitRows(site).map(({ scope, text }) => `- ${scope}: ${text}`),
      '',
      'A request that is not valid HTTP, arrives too slowly or has too large headers is refused ' +
        'with 400, 408 or 431 and',
      'an ApiError.',
    ].join('\n'),
    contact: { name: serverInfo.title, url: baseUrl, ...(email && { email }) },
    license: { name: 'MIT (the software, not the content)', identifier: 'MIT' },
  };
}

function tagsOf(site: Site): object[] {
  const forms = { name: 'Forms', description: 'The forms of the website, which a human answers.' };
  const a2a = { name: 'A2A', description: 'Questions over Agent2Agent.' };
  return [
    { name: 'Questions', description: 'Natural-language questions, answered from the brand profile.' },
    ...(hasActions(site) ? [forms] : []),
    { name: 'Status', description: 'Liveness.' },
    { name: 'MCP', description: 'The same as tools of the Model Context Protocol.' },
    ...(site.off.has('a2a') ? [] : [a2a]),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: IDEMPOTENCY,
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};
