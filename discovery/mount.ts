import { createHash } from 'node:crypto';
import { errorReply } from '../rest/error-response.ts';
import type { Reply } from '../rest/reply.ts';
import type { Exchange, Resource } from '../rest/resource.ts';
import { ServiceError } from '../tools/errors.ts';
import type { PublishedDocument } from './document.ts';
import { DOCUMENTS } from './index.ts';
import type { Site } from './site.ts';

/** A document as it is served. */
interface Edition {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Strong: the quoted SHA-256 of the body (RFC 9110, 8.8.3). */
  readonly etag: string;
}

/**
 * The documents as resources. They are built when a site is first seen, and again only for another profile.
 * @param site the site of now; `undefined` while no profile is loaded
 */
export function documentResources(site: () => Site | undefined): Resource[] {
  const editions = new WeakMap<Site, ReadonlyMap<PublishedDocument, Edition>>();
  const editionOf = (document: PublishedDocument): Edition | undefined => {
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
      handlers: { GET: async (exchange: Exchange) => reply(exchange, document, editionOf(document)) },
    })),
  );
}

/** Every document of a site. @throws Error at start when one cannot be built */
export function buildAll(site: Site): ReadonlyMap<PublishedDocument, Edition> {
  const built = new Map<PublishedDocument, Edition>();
  for (const document of DOCUMENTS) {
    const body = document.build(site);
    if (body !== undefined) built.set(document, edition(body));
  }
  return built;
}

function edition(content: string | Uint8Array): Edition {
  const body = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content);
  return { body, etag: `"${createHash('sha256').update(body).digest('hex')}"` };
}

function reply({ request }: Exchange, { contentType }: PublishedDocument, found: Edition | undefined): Reply {
  if (!found) throw new ServiceError('not_found');
  const headers = { etag: found.etag, 'cache-control': 'public, max-age=3600' };
  if (matches(request.headers['if-none-match'], found.etag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body: found.body };
}

/** If-None-Match compares weakly, and may list several (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const listed = ifNoneMatch?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? [];
  return listed.includes(etag) || listed.includes('*');
}
