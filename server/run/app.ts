import { type H3Event, HTTPResponse } from 'h3';
import type { Example } from '../../discovery/documents/examples.ts';
import { mcpDescriptor } from '../../discovery/documents/server-card.ts';
import type { Publishing, Site } from '../../discovery/documents/site.ts';
import { createEditions } from '../../discovery/editions.ts';
import { DOCUMENTS } from '../../discovery/index.ts';
import { claimPaths, links, mountDocuments, redirectClaims } from '../../discovery/mount.ts';
import { privacyOf } from '../../discovery/pages/frame.ts';
import { icon } from '../../discovery/pages/mark.ts';
import { createPages } from '../../discovery/pages/pages.ts';
import { mountApi } from '../../rest/api.ts';
import { nodeRequest } from '../../rest/event.ts';
import { App, answerOtherMethods } from '../../rest/methods.ts';
import { render } from '../../rest/reply.ts';
import { errorResponse } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import { toolsOf } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import type { Policies } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Backend } from '../../tools/tool.ts';
import { messagesOf } from '../../tools/words/language.ts';
import { requireUnambiguous } from '../http/message.ts';
import { createGate } from '../http/origin.ts';
import { createResponder, type ResponderParts } from '../http/respond.ts';
import { mountA2a } from '../mcp/a2a.ts';
import { mountMcp } from '../mcp/http.ts';
import { createServerFor } from '../mcp/server.ts';
import type { ServedBrand } from './load-brand.ts';

/** What the app needs besides a profile. */
export interface Services extends ResponderParts, Omit<Backend, 'brand'> {
  readonly policies: Policies;
  readonly publishing: Publishing;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly anyHost: boolean;
}

/**
 * Builds the whole service as an h3 app for one profile. A reload builds another app.
 * @param brand absent while no profile is loaded
 * @param examples questions and answers that documents show
 * @returns `paths`: all that exist; `fillDocuments` builds the documents between requests
 */
export function createApp(services: Services, brand: ServedBrand | undefined, examples: readonly Example[]) {
  const { baseUrl, allowedHosts, allowedOrigins, anyHost, publishing, now } = services;
  const { recordQuestion, deliver, mode } = services;
  const backend = { brand, recordQuestion, deliver, mode, now };
  const gate = createGate({ baseUrl, allowedHosts, allowedOrigins, anyHost, isLocal: mode === 'dry-run' });
  const site = siteOf(brand, examples, services);
  const { privacyUrl, tools } = site;
  const page = createPages(site);
  const refuse = (error: ServiceError, event: H3Event) =>
    render(event, { kind: 'refusal', error, attempt: event.context.attempt }, page);
  const editions = createEditions(site, DOCUMENTS);
  const serverFor = createServerFor(tools, site);
  const descriptor = () => mcpDescriptor(site);

  // Otherwise h3 refuses a path that does not decode before our middleware can write headers.
  const app = new App({ silent: true, allowMalformedURL: true, onError: lastResponse });
  app.use(createResponder(services, gate, refuse));
  if (!publishing.off.has('links')) app.use(links(publishing));
  app.use(requireUnambiguous);
  if (!publishing.off.has('claims')) app.use(redirectClaims);
  app.use(requireRoute);
  mountApi(app, { tools, backend, page, privacyUrl, ...gate });
  mountDocuments(app, site, editions);
  mountMcp(app, { gate, backend, serverFor, tools, descriptor });
  if (!publishing.off.has('a2a')) mountA2a(app, backend);
  answerOtherMethods(app);
  const paths = new Set([...app.paths, ...claimPaths(site)]);
  return { app, paths, site, fillDocuments: editions.fill };
}

/** A middleware. @throws ServiceError `not_found` for an unknown path */
function requireRoute(event: H3Event): HTTPResponse | undefined {
  if (event.context.matchedRoute) return undefined;
  // It asks for the server in general (RFC 9110, 9.3.7).
  if (event.req.method === 'OPTIONS' && nodeRequest(event).url === '*')
    return new HTTPResponse(null, { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
  throw new ServiceError('not_found');
}

/** The answer if `createResponder` itself fails: h3 would show its own body. */
function lastResponse(): HTTPResponse {
  const response = errorResponse(new ServiceError('not_configured'));
  response.headers.set('api-version', SERVICE.apiVersion);
  return response;
}

function siteOf(brand: ServedBrand | undefined, examples: readonly Example[], services: Services): Site {
  const { baseUrl, policies, publishing, now } = services;
  const shown = brand && icon({ brandName: brand.name, profile: brand.profile });
  const introduction = introduce(brand, services.mode, shown);
  return {
    baseUrl,
    policies,
    privacyUrl: privacyOf(brand?.profile),
    ...publishing,
    brandName: brand?.name ?? 'this brand',
    profile: brand?.profile,
    profileBytes: brand?.bytes,
    jwks: brand?.jwks,
    ...introduction,
    tools: toolsOf(brand?.profile, introduction),
    calibrated: brand?.calibrated ?? true,
    words: messagesOf(brand?.profile.language),
    examples,
    isExpired: () => brand !== undefined && Date.parse(brand.profile.expires_at) <= now().getTime(),
  };
}
