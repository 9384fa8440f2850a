import { H3 } from 'h3';
import type { Publishing, Site } from '../discovery/documents/site.ts';
import { documentResources, withLinks } from '../discovery/mount.ts';
import type { Resource } from '../rest/http/resource.ts';
import { restResources } from '../rest/mount.ts';
import { ServiceError } from '../tools/errors.ts';
import { TOOLS } from '../tools/index.ts';
import { a2aResource } from './a2a/endpoint.ts';
import type { BrandSource, ServedBrand } from './brand/brand-source.ts';
import { createGate, type Gate } from './http/origin.ts';
import { createResponder } from './http/respond.ts';
import type { Services } from './http/services.ts';
import { descriptor } from './mcp/descriptor.ts';
import { mcpResource } from './mcp/endpoint.ts';
import { createMethods } from './mcp/methods.ts';

/** The whole service as an h3 app: one table of resources, one way to respond. */
export function createApp(services: Services): H3 {
  const gate = createGate(services.baseUrl, services.allowedOrigins);
  const respond = createResponder(services, gate);
  const app = new H3({ silent: true, onError: (cause, event) => respond(event, undefined, malformed(cause)) });
  for (const resource of resources(services, gate)) app.all(resource.path, event => respond(event, resource));
  app.all('/**', event => respond(event, undefined));
  return app;
}

function resources(services: Services, gate: Gate): Resource[] {
  const { baseUrl, policies, publishing, now, thanksUrl, honeypot, brand } = services;
  const described = descriptor(TOOLS, policies, { baseUrl, off: publishing.off });
  const mcp = { methods: createMethods(TOOLS, policies), gate, descriptor: described };
  const linked = [
    ...restResources({ now, thanksUrl, honeypot, refuseCrossSite: gate.refuseCrossSite }),
    ...documentResources(currentSite(brand, { baseUrl, policies, honeypot, ...publishing }), publishing),
  ];
  return [
    ...linked.map(resource => withLinks(resource, publishing)),
    mcpResource(mcp),
    ...(publishing.off.has('a2a') ? [] : [a2aResource()]),
  ];
}

type SiteSettings = Pick<Site, 'baseUrl' | 'policies' | 'honeypot' | keyof Publishing>;

/** The site of the profile in use; the same object until another profile takes its place. */
function currentSite(source: BrandSource, settings: SiteSettings): () => Site | undefined {
  const sites = new WeakMap<ServedBrand, Site>();
  return () => {
    const { current } = source;
    if (!current) return undefined;
    const { name: brandName, profile, bytes: profileBytes, jwks } = current;
    const site = sites.get(current) ?? { ...settings, brandName, profile, profileBytes, jwks };
    sites.set(current, site);
    return site;
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
