import { createHash } from 'node:crypto';
import { errorReply } from '../rest/error-response.ts';
import { prefers } from '../rest/prefers.ts';
import type { Reply } from '../rest/reply.ts';
import type { Exchange, Resource } from '../rest/resource.ts';
import { ServiceError } from '../tools/errors.ts';
import type { Build, PublishedDocument } from './document.ts';
import { DOCUMENTS } from './index.ts';
import type { Site } from './site.ts';

/** A document as it is served. */
interface Edition {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Strong: the quoted SHA-256 of the body (RFC 9110, 8.8.3). */
  readonly etag: string;
}

/** Its own type first, then the one it offers besides. */
type Editions = readonly [main: Edition, alternate?: Edition];

/**
 * The documents as resources. They are built when a site is first seen, and again only for another profile.
 * @param site the site of now; `undefined` while no profile is loaded
 */
export function documentResources(site: () => Site | undefined): Resource[] {
  const editions = new WeakMap<Site, ReadonlyMap<PublishedDocument, Editions>>();
  const editionsOf = (document: PublishedDocument): Editions | undefined => {
    const current = site();
    if (!current) throw new ServiceError('not_configured');
    const built = editions.get(current) ?? buildAll(current);
    editions.set(current, built);
    return built.get(document);
  };
  return DOCUMENTS.flatMap(document =>
    [document.path, ...(document.aliases ?? [])].map(path => ({
      path,
      bucket: 'ask' as const,
      readableFrom: 'anyone' as const,
      unforeseen: 'not_configured' as const,
      renderError: errorReply,
      handlers: { GET: async (exchange: Exchange) => reply(exchange, document, editionsOf(document)) },
    })),
  );
}

/** Every document of a site. @throws Error at start when one cannot be built */
export function buildAll(site: Site): ReadonlyMap<PublishedDocument, Editions> {
  const built = new Map<PublishedDocument, Editions>();
  for (const document of DOCUMENTS) {
    const { contentType, build, alternate } = document;
    const main = edition(contentType, build(site));
    if (!main) continue;
    const other = alternate && edition(alternate.contentType, alternate.build ? alternate.build(site) : main.body);
    built.set(document, other ? [main, other] : [main]);
  }
  return built;
}

function edition(contentType: string, content: ReturnType<Build>): Edition | undefined {
  if (content === undefined) return undefined;
  const body = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content);
  return { contentType, body, etag: `"${createHash('sha256').update(body).digest('hex')}"` };
}

function reply({ request }: Exchange, document: PublishedDocument, editions: Editions | undefined): Reply {
  if (!editions) throw new ServiceError('not_found');
  const { contentType, body, etag } = chosen(editions, request.headers.accept);
  const vary = document.alternate && { vary: 'Accept' };
  const headers = { etag, 'cache-control': 'public, max-age=3600', ...vary, ...document.headers };
  if (matches(request.headers['if-none-match'], etag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body };
}

function chosen([main, alternate]: Editions, accept: string | undefined): Edition {
  return alternate && prefers(accept, bare(alternate.contentType), bare(main.contentType)) ? alternate : main;
}

/** A media type without its parameters. */
const bare = (contentType: string) => contentType.replace(/;.*/, '');

/** If-None-Match compares weakly, and may list several (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const listed = ifNoneMatch?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? [];
  return listed.includes(etag) || listed.includes('*');
}
