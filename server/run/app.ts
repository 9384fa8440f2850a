import type { H3Event } from 'h3';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Example } from '../../discovery/documents/examples.ts';
import { mcpDescriptor } from '../../discovery/documents/server-card.ts';
import { createSite } from '../../discovery/documents/site.ts';
import { createEditions } from '../../discovery/editions.ts';
import { DOCUMENTS } from '../../discovery/index.ts';
import { claimPaths, links, mountDocuments, redirectClaims } from '../../discovery/mount.ts';
import { privacyOf } from '../../discovery/pages/frame.ts';
import { icon } from '../../discovery/pages/mark.ts';
import { createPages } from '../../discovery/pages/pages.ts';
import { mountApi } from '../../rest/api.ts';
import { answerOtherMethods, App as Routes, requireRoute } from '../../rest/methods.ts';
import { render } from '../../rest/reply.ts';
import type { ServiceError } from '../../tools/errors.ts';
import type { Backend } from '../../tools/tool.ts';
import { nodeMiddleware, requireUnambiguous } from '../http/message.ts';
import { createResponder, lastResponse } from '../http/respond.ts';
import { mountA2a } from '../mcp/a2a.ts';
import { mountMcp } from '../mcp/http.ts';
import { createServerFor } from '../mcp/server.ts';
import { untilExpiry } from './expiry.ts';
import type { ServedBrand } from './load-brand.ts';
import type { Shared } from './shared.ts';

export type App = ReturnType<typeof createApp>;

/**
 * Builds what answers requests from one profile: its tools, documents and pages behind one handler.
 * @param loaded undefined if the server started without a profile
 * @param examples questions and answers that documents show
 */
export function createApp(
  { config, now, gate, responder, backend: sharedBackend }: Shared,
  loaded: ServedBrand | undefined,
  examples: readonly Example[],
) {
  const { policies, publishing } = config;
  const brand = loaded && untilExpiry(loaded, now);
  const backend: Backend = { ...sharedBackend, brand };
  const { baseUrl } = responder;
  const { mode } = backend;
  const site = createSite({ baseUrl, policies, publishing, brand, examples, mode, now: backend.now });
  const { tools, profile } = site;
  const page = createPages(site);
  const editions = createEditions(site, DOCUMENTS);
  const refuse = (error: ServiceError, event: H3Event) =>
    render(event, { kind: 'refusal', error, attempt: event.context.attempt }, page);

  // Otherwise h3 refuses a path that does not decode before our middleware can write headers.
  const routes = new Routes({ silent: true, allowMalformedURL: true, onError: lastResponse });
  routes.use(createResponder(responder, gate, refuse));
  if (!publishing.off.has('links')) routes.use(links(publishing));
  routes.use(requireUnambiguous);
  if (!publishing.off.has('claims')) routes.use(redirectClaims);
  routes.use(requireRoute);
  mountApi(routes, { tools, backend, page, asksConsent: privacyOf(profile) !== undefined, ...gate });
  mountDocuments(routes, site, editions);
  mountMcp(routes, {
    gate,
    backend,
    serverFor: createServerFor(tools, { ...site, icon: profile && icon(site) }),
    tools,
    descriptor: () => mcpDescriptor(site),
  });
  if (!publishing.off.has('a2a')) mountA2a(routes, backend);
  answerOtherMethods(routes);
  return {
    /** What a tool may use. */
    backend,
    /** What documents are made of. */
    site,
    answer: nodeMiddleware(routes, new Set([...routes.paths, ...claimPaths(site)])),
    /** Builds every document. @throws Error for the operator if one cannot be built */
    async fillDocuments() {
      await editions.fill().catch(cause => {
        throw new Error(`a page or document cannot be made of this profile: ${messageOf(cause)}`, { cause });
      });
    },
  };
}
