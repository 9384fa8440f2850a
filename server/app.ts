import { H3 } from 'h3';
import { messagesOf } from '../brand/language/language.ts';
import type { Site } from '../discovery/documents/site.ts';
import { documentResources, withLinks } from '../discovery/mount.ts';
import { createPages } from '../discovery/pages/pages.ts';
import type { Resource } from '../rest/http/resource.ts';
import { restResources } from '../rest/mount.ts';
import { ServiceError } from '../tools/errors.ts';
import { TOOLS } from '../tools/index.ts';
import { createPresentation, type Presentation } from '../tools/presentation.ts';
import { a2aResource } from './a2a/endpoint.ts';
import type { ServedBrand } from './brand/served-brand.ts';
import { createGate, type Gate } from './http/origin.ts';
import { createResponder } from './http/respond.ts';
import type { Services } from './http/services.ts';
import { descriptor } from './mcp/descriptor.ts';
import { mcpResource } from './mcp/endpoint.ts';
import { createMethods } from './mcp/methods.ts';

/**
 * The whole service as an h3 app that answers from one profile: one table of resources, one way to respond. A reload
 * builds another; it is built in pieces, between which the requests of the one in use are answered.
 * @param brand absent while no profile is loaded
 * @throws Error when a document cannot be built
 */
export async function createApp(services: Services, brand: ServedBrand | undefined): Promise<H3> {
  const gate = createGate(services.baseUrl, services.allowedOrigins);
  const respond = createResponder(services, brand, gate);
  const app = new H3({ silent: true, onError: (cause, event) => respond(event, undefined, malformed(cause)) });
  for (const resource of await resources(services, brand, gate)) {
    app.all(resource.path, event => respond(event, resource));
  }
  app.all('/**', event => respond(event, undefined));
  return app;
}

async function resources(services: Services, brand: ServedBrand | undefined, gate: Gate): Promise<Resource[]> {
  const { publishing, now, thanksUrl, honeypot } = services;
  const presentation = createPresentation(brand, services);
  const site = siteOf(brand, presentation, services);
  const linked = [
    ...restResources({ now, thanksUrl, honeypot, pages: createPages(site), ...gate }),
    ...(await documentResources(site)),
  ];
  return [
    ...linked.map(resource => withLinks(resource, publishing)),
    mcpResource({
      gate,
      methods: createMethods(TOOLS, presentation),
      descriptor: descriptor(TOOLS, presentation, publishing.off),
    }),
    ...(publishing.off.has('a2a') ? [] : [a2aResource()]),
  ];
}

function siteOf(brand: ServedBrand | undefined, presentation: Presentation, services: Services): Site {
  const { baseUrl, policies, honeypot, thanksUrl, privacyUrl, publishing } = services;
  return {
    baseUrl,
    policies,
    honeypot,
    thanksUrl,
    privacyUrl,
    ...publishing,
    brandName: brand?.name ?? 'this brand',
    profile: brand?.profile,
    profileBytes: brand?.bytes,
    jwks: brand?.jwks,
    presentation,
    words: messagesOf(presentation.language),
  };
}

/** h3 itself refuses one thing only: a path that does not decode. */
function malformed(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'The path is not valid.',
    hint: 'Percent-encode the path as UTF-8.',
    cause,
  });
}
