import { limitRows } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service.ts';
import { type Documents, targets } from '../documents/document.ts';
import { contactEmail } from '../documents/identity.ts';
import type { Site } from '../documents/site.ts';
import { TAGS } from './purposes.ts';
import { headerComponents } from './responses.ts';
import { schemaComponents } from './schemas.ts';
import { servicePaths } from './service-operations.ts';
import { toolPaths } from './tool-operations.ts';

/**
 * The API as OpenAPI 3.1. Its examples are answers that the server gave for the example brand. On one line: with
 * indentation it would be nearly twice as large, and what reads it pays by the byte.
 */
export function openapi(site: Site, documents: Documents): string {
  const [reference] = targets(site, documents, '/docs', '/llms.txt');
  const description = {
    openapi: '3.1.1',
    info: info(site),
    ...(reference && { externalDocs: { url: reference.href, description: 'The same in words.' } }),
    servers: [{ url: site.baseUrl, description: 'Production. There is no sandbox.' }],
    security: [],
    tags: TAGS,
    paths: { ...toolPaths(site), ...servicePaths(site) },
    components: {
      schemas: schemaComponents(site.presentation),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: headerComponents(),
    },
  };
  return `${JSON.stringify(description)}\n`;
}

function info(site: Site) {
  const { baseUrl, brandName, policies, off } = site;
  const email = contactEmail(site);
  return {
    title: `${brandName}: site API`,
    version: SERVICE.apiVersion,
    summary: `Questions about ${brandName}, its forms, and both as MCP tools.`,
    description: [
      `Answers questions about ${brandName} from a signed brand profile (${baseUrl}/.well-known/brand.json), takes the`,
      'two forms of its website, and offers all three as tools of the Model Context Protocol (POST /mcp).',
      '',
      'There is no authentication: every operation is public, needs no key, and is subject to limits per client:',
      '',
      ...limitRows(policies, off).map(({ scope, text }) => `- ${scope}: ${text}`),
      '',
      'A request that is not valid HTTP, arrives too slowly or has too large headers is refused with 400, 408 or 431 and',
      'the same error body. The signature of the profile proves who said it and that nobody changed it, not that it is true.',
      'Every example is an answer that this software gave for its example brand with the default limits.',
    ].join('\n'),
    contact: { name: brandName, url: baseUrl, ...(email && { email }) },
    license: { name: 'MIT (the software, not the content)', identifier: 'MIT' },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeat safe: the same key with the same body gets the stored answer and sends nothing again; the same key ' +
    'with another body is a `validation_error`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};
