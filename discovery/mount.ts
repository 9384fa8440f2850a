import { getRouterParam, type H3, type H3Event, HTTPResponse, type Middleware } from 'h3';
import { accepts, prefers, visitOf } from '../rest/negotiation.ts';
import { ServiceError } from '../tools/errors.ts';
import type { Messages } from '../tools/words/es.ts';
import { visitorMessages } from '../tools/words/language.ts';
import {
  A2A_PATH,
  isEnabled,
  isPublished,
  linkHeader,
  MCP_PATH,
  mediaTypeOf,
  type PublishedDocument,
} from './documents/document.ts';
import type { Publishing, Site } from './documents/site.ts';
import type { Edition, EditionStore, Editions } from './editions.ts';
import { claimDocument, DOCUMENTS } from './index.ts';
import { claimPath } from './pages/claim.ts';

/**
 * Serves the documents of a site, and a page for each claim. While no profile is loaded, documents that need
 * one answer `not_configured`.
 * @example mountDocuments(app, site, createEditions(site, DOCUMENTS));
 */
export function mountDocuments(app: H3, site: Site, editions: EditionStore): void {
  for (const document of DOCUMENTS.filter(document =>
    (site.profile ? isPublished : isEnabled)(document, site),
  )) {
    for (const path of [document.path, ...(document.aliases ?? [])]) {
      app.get(path, async event => {
        if (document.expires && site.isExpired()) throw new ServiceError('not_found');
        return response(event, await editions.get(document, languageFor(event, document, site)));
      });
    }
  }
  if (site.off.has('claims')) return;
  app.get('/claims/:id', event => {
    const id = getRouterParam(event, 'id', { decode: true });
    const document = claimDocument(id ?? '', site);
    if (!document) throw new ServiceError('not_found');
    return response(event, editions.claim(document, languageFor(event, document, site)));
  });
}

/** A middleware: people type `/claims/`, so it redirects to `/claims`. Other trailing slashes get 404. */
export function redirectClaims({ url }: H3Event): HTTPResponse | undefined {
  if (url.pathname !== '/claims/') return undefined;
  return new HTTPResponse(null, { status: 308, headers: { location: `/claims${url.search}` } });
}

/** Paths of the claims' pages, percent-encoded. */
export const claimPaths = ({ profile, off }: Site): string[] =>
  off.has('claims') || !profile ? [] : profile.claims.map(({ claim_id }) => claimPath(claim_id));

/** A middleware that adds `Link` headers to every answer, except those of /mcp and /a2a. */
export function links(publishing: Publishing): Middleware {
  const documents = DOCUMENTS.filter(document => isEnabled(document, publishing));
  const linkByPath = new Map<string, string>();
  return ({ context: { matchedRoute, headers } }, next) => {
    const path = matchedRoute?.route;
    if (path === undefined || path === MCP_PATH || path === A2A_PATH) return next();
    const link = linkByPath.get(path) ?? linkHeader(documents, path);
    linkByPath.set(path, link);
    headers.push(['link', link]);
    return next();
  };
}

function languageFor(event: H3Event, { localized }: PublishedDocument, { words }: Site): Messages {
  const { lang, acceptLanguage } = visitOf(event);
  return localized ? visitorMessages(lang, acceptLanguage, words) : words;
}

function response({ req }: H3Event, editions: Editions | undefined): HTTPResponse {
  if (!editions) throw new ServiceError('not_configured');
  const { contentType, gzipped, ...plain } = chosen(editions, req.headers.get('accept'));
  const isPacked = accepts(req.headers.get('accept-encoding'), 'gzip');
  const { body, etag, headers } = (isPacked && gzipped) || plain;
  if (matches(req.headers.get('if-none-match'), etag))
    return new HTTPResponse(null, { status: 304, headers });
  return new HTTPResponse(body, { headers: { ...headers, 'content-type': contentType } });
}

function chosen([main, alternate]: Editions, accept: string | null): Edition {
  if (!alternate) return main;
  const isPreferred = prefers(accept, mediaTypeOf(alternate.contentType), mediaTypeOf(main.contentType));
  return isPreferred ? alternate : main;
}

/** Characters of If-None-Match that are read. With a longer list the client gets the document. */
const MAX_TAGS = 1024;

/**
 * Compares tags weakly; the header may list several (RFC 9110, 13.1.2). If-Modified-Since is ignored, because
 * a change of settings changes documents too and has no date.
 */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch.length > MAX_TAGS) return false;
  const tags = ifNoneMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
