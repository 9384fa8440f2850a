import type { Reply } from '../rest/reply.ts';
import { accepts, parseQuery, prefers } from '../rest/request.ts';
import type { Exchange, Handler, Resource } from '../rest/resource.ts';
import { visitOf } from '../rest/visit.ts';
import { ServiceError } from '../tools/errors.ts';
import type { Messages } from '../tools/words/es.ts';
import { negotiated } from '../tools/words/language.ts';
import { bare, isOn, isPublished, linkHeader, type PublishedDocument } from './documents/document.ts';
import type { Publishing, Site } from './documents/site.ts';
import type { Edition, EditionCache, Editions } from './editions.ts';
import { DOCUMENTS } from './index.ts';

/** The documents of a site as resources. What cannot exist without a profile answers `not_configured` until one is loaded. */
export function documentResources(site: Site, editions: EditionCache): Resource[] {
  const served = DOCUMENTS.filter(document => (site.profile ? isPublished : isOn)(document, site));
  return served.flatMap(document => {
    const paths = [document.path, ...(document.aliases ?? [])];
    return paths.map((path): Resource => {
      const GET: Handler = async exchange => {
        if (document.expires && site.isExpired()) throw new ServiceError('not_found');
        await site.examples.check();
        const words = languageFor(exchange, document, site);
        const query = document.search && parseQuery(exchange.request.url);
        if (query?.has('q') || query?.has('from')) return searched(document, { ...site, words }, query);
        return reply(exchange, editions.get(document, words));
      };
      return { path, bucket: 'ask', readableFrom: 'anyone', unforeseen: 'not_configured', handlers: { GET } };
    });
  });
}

/** The same resource with a `Link` to the documents on each of its answers, unless links are switched off. */
export function withLinks(resource: Resource, publishing: Publishing): Resource {
  if (publishing.off.has('links')) return resource;
  const documents = DOCUMENTS.filter(document => isOn(document, publishing));
  return { ...resource, headers: [...(resource.headers ?? []), ['link', linkHeader(documents, resource.path)]] };
}

/** The language that the visitor gets. */
function languageFor(exchange: Exchange, { localized }: PublishedDocument, { words }: Site): Messages {
  const { lang, acceptLanguage } = visitOf(exchange.request);
  return localized ? negotiated(lang, acceptLanguage, words) : words;
}

/** A document for one question: made anew, and kept by nobody. */
function searched({ contentType, search, headers }: PublishedDocument, site: Site, query: URLSearchParams): Reply {
  const own = typeof headers === 'function' ? headers(site) : headers;
  const body = search?.(site, query) ?? '';
  return { status: 200, headers: { ...own, 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

function reply({ request }: Exchange, editions: Editions | undefined): Reply {
  if (!editions) throw new ServiceError('not_configured');
  const { contentType, gzipped, ...plain } = chosen(editions, request.headers.accept);
  const isPacked = accepts(request.headers['accept-encoding'], 'gzip');
  const { body, etag, headers } = (isPacked && gzipped) || plain;
  if (matches(request.headers['if-none-match'], etag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body };
}

function chosen([main, alternate]: Editions, accept: string | undefined): Edition {
  return alternate && prefers(accept, bare(alternate.contentType), bare(main.contentType)) ? alternate : main;
}

/** A client that lists more tags gets the document: reading the list costs the same for everybody. */
const MAX_TAGS = 1024;

/**
 * If-None-Match compares weakly, and may list several (RFC 9110, 13.1.2). If-Modified-Since is not looked at: a document
 * also changes with the configuration, which has no date.
 */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch.length > MAX_TAGS) return false;
  const listed = ifNoneMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return listed.includes(etag) || listed.includes('*');
}
