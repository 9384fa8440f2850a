import { H3 } from 'h3';
import type { Publishing, Site } from '../discovery/documents/site.ts';
import { documentResources, withLinks } from '../discovery/mount.ts';
import type { Resource } from '../rest/http/resource.ts';
import { restResources } from '../rest/mount.ts';
import { ServiceError } from '../tools/errors.ts';
import { TOOLS } from '../tools/index.ts';
import { createPresentation } from '../tools/presentation.ts';
import { a2aResource } from './a2a/endpoint.ts';
import type { BrandSource, ServedBrand } from './brand/brand-source.ts';
import { createGate, type Gate } from './http/origin.ts';
import { createResponder } from './http/respond.ts';
import type { Services } from './http/services.ts';
import { descriptor } from './mcp/descriptor.ts';
import { mcpResource, type ServedMcp } from './mcp/endpoint.ts';
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
  const { baseUrl, policies, publishing, mode, now, thanksUrl, honeypot } = services;
  const served = servedNow(services.brand, { baseUrl, policies, mode, honeypot, thanksUrl, ...publishing });
  const linked = [
    ...restResources({ now, thanksUrl, honeypot, refuseCrossSite: gate.refuseCrossSite }),
    ...documentResources(() => served().site, publishing),
  ];
  return [
    ...linked.map(resource => withLinks(resource, publishing)),
    mcpResource({ gate, served }),
    ...(publishing.off.has('a2a') ? [] : [a2aResource()]),
  ];
}

type Settings = Pick<Services, 'baseUrl' | 'policies' | 'mode' | 'honeypot' | 'thanksUrl'> & Publishing;

/** What is made of a profile. */
interface Served extends ServedMcp {
  /** Absent while no profile is loaded. */
  readonly site: Site | undefined;
}

/** The service of the profile in use; the same objects until another profile takes its place. */
function servedNow(source: BrandSource, settings: Settings): () => Served {
  let made: { readonly of: ServedBrand | undefined; readonly served: Served } | undefined;
  return () => {
    const { current } = source;
    if (!made || made.of !== current) made = { of: current, served: serve(current, settings) };
    return made.served;
  };
}

function serve(brand: ServedBrand | undefined, settings: Settings): Served {
  const presentation = createPresentation(brand, settings);
  const { mode: _, ...published } = settings;
  return {
    site: brand && {
      ...published,
      brandName: brand.name,
      profile: brand.profile,
      profileBytes: brand.bytes,
      jwks: brand.jwks,
      presentation,
    },
    methods: createMethods(TOOLS, presentation),
    descriptor: descriptor(TOOLS, presentation, settings.off),
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
