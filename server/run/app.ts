import { H3, type HTTPMethod } from 'h3';
import { renderFault } from '../../brand/profile/fault.ts';
import { createExamples } from '../../discovery/documents/examples.ts';
import { mcpDescriptor } from '../../discovery/documents/mcp-descriptor.ts';
import type { Publishing, Site } from '../../discovery/documents/site.ts';
import { createEditions } from '../../discovery/editions.ts';
import { DOCUMENTS } from '../../discovery/index.ts';
import { documentResources, withLinks } from '../../discovery/mount.ts';
import { privacyOf } from '../../discovery/pages/frame.ts';
import { icon } from '../../discovery/pages/mark.ts';
import { createPages } from '../../discovery/pages/pages.ts';
import { type FormSettings, siteResources } from '../../rest/forms.ts';
import type { Pages } from '../../rest/pages-port.ts';
import { errorReply } from '../../rest/reply.ts';
import { allowedMethods, type Handler, type Resource } from '../../rest/resource.ts';
import { isVisit, visitOf } from '../../rest/visit.ts';
import { ServiceError } from '../../tools/errors.ts';
import { toolsOf } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import type { Policies } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Backend } from '../../tools/tool.ts';
import { messagesOf } from '../../tools/words/language.ts';
import { createGate } from '../http/origin.ts';
import { createResponder, nowhere, type Respond, type ResponderParts } from '../http/respond.ts';
import { a2aResource } from '../mcp/a2a.ts';
import { mcpResource } from '../mcp/http.ts';
import { createMethods } from '../mcp/methods.ts';
import type { ServedBrand } from './served-brand.ts';

/** What the app needs besides a profile. The process builds it; tests bring their own. */
export interface Services extends ResponderParts, FormSettings, Omit<Backend, 'brand'> {
  readonly policies: Policies;
  readonly publishing: Publishing;
  readonly allowedOrigins: readonly string[];
  /** Requests for any host name are served. */
  readonly anyHost?: boolean;
  readonly now: () => Date;
}

/**
 * The whole service as an h3 app that answers from one profile: one table of resources, one way to respond. A reload
 * builds another.
 * @param brand absent while no profile is loaded
 * @returns `paths`: all that are not answered with 404; `fillDocuments` builds documents between requests
 */
export function createApp(
  services: Services,
  brand: ServedBrand | undefined,
): { readonly app: H3; readonly paths: ReadonlySet<string>; readonly fillDocuments: () => Promise<void> } {
  const { baseUrl, allowedOrigins } = services;
  const gate = createGate({
    baseUrl,
    allowedOrigins,
    isLocal: services.mode === 'dry-run',
    anyHost: services.anyHost === true,
  });
  const respond = createResponder(services, gate);
  const app = new H3({
    silent: true,
    onError: (error, event) =>
      respond(event, () => Promise.reject(error.unhandled ? error.cause : malformed(error))).catch(lastReply),
  });
  const site = siteOf(brand, services);
  const pages = createPages(site);
  const editions = createEditions(site, DOCUMENTS);
  const { asked, deliver, isReplay, mode } = services;
  const backend = { brand, asked, deliver, isReplay, mode };
  const { publishing, now, honeypot } = services;
  const { privacyUrl, tools } = site;
  const linked = [
    ...siteResources({ tools, backend, now, pages, honeypot, privacyUrl, ...gate }),
    ...documentResources(site, editions),
  ];
  const methods = createMethods(tools, site);
  const descriptor = () => mcpDescriptor(site);
  const table = [
    ...linked.map(resource => withLinks(resource, publishing)),
    mcpResource({ gate, backend, methods, descriptor }),
    ...(publishing.off.has('a2a') ? [] : [a2aResource(backend)]),
  ];
  for (const resource of table) mount(app, resource, respond);
  app.all('/**', event => respond(event, lost(pages)));
  return { app, paths: new Set(table.map(({ path }) => path)), fillDocuments: editions.fill };
}

/** HEAD wherever GET is, OPTIONS everywhere; every other method is refused with what there is. */
function mount(app: H3, resource: Resource, respond: Respond): void {
  const { path, handlers } = resource;
  const { GET, POST } = handlers;
  const allow = allowedMethods(resource);
  const on = (method: HTTPMethod, handler: Handler) => app.on(method, path, event => respond(event, handler, resource));
  if (GET) for (const method of ['GET', 'HEAD'] as const) on(method, GET);
  if (POST) on('POST', POST);
  on('OPTIONS', async () => ({ status: 204, headers: { allow }, body: null }));
  const refuse: Handler = async ({ report }) => {
    const error = new ServiceError('method_not_allowed');
    report(error);
    return errorReply(error, { allow });
  };
  app.all(path, event => respond(event, refuse, resource));
}

/** An unknown path: a page for a browser, the contract's body for everyone else. */
const lost = (pages: Pages): Handler => {
  const page: Handler = async ({ request, report }) => {
    const error = new ServiceError('not_found');
    report(error);
    return pages.refused(error, visitOf(request));
  };
  return exchange => (isVisit(exchange.request) ? page : nowhere)(exchange);
};

function siteOf(brand: ServedBrand | undefined, services: Services): Site {
  const { baseUrl, policies, honeypot, privacyUrl, publishing, now, log } = services;
  const shown = brand && icon({ brandName: brand.name, profile: brand.profile });
  const introduction = introduce(brand, services.mode, shown);
  return {
    baseUrl,
    policies,
    honeypot,
    privacyUrl: privacyUrl ?? privacyOf(brand?.profile),
    ...publishing,
    brandName: brand?.name ?? 'this brand',
    profile: brand?.profile,
    profileBytes: brand?.bytes,
    jwks: brand?.jwks,
    ...introduction,
    tools: toolsOf(brand?.profile, introduction),
    calibrated: brand?.calibrated ?? true,
    words: messagesOf(brand?.profile.language),
    examples: createExamples(brand, fault => log('warn', 'brand', { warning: renderFault(fault), fix: fault.fix })),
    isExpired: () => brand !== undefined && Date.parse(brand.profile.expires_at) <= now().getTime(),
  };
}

/** Where responding itself fails: the contract's body, or h3 would show its own. */
function lastReply(): Response {
  const { status, headers, body } = errorReply(new ServiceError('not_configured'));
  return new Response(body, { status, headers: { ...headers, 'api-version': SERVICE.apiVersion } });
}

/** h3 itself refuses one thing only: a path that does not decode. */
function malformed(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'The path is not valid.',
    hint: 'Percent-encode the path as UTF-8.',
    cause,
  });
}
