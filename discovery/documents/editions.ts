import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { languages } from '../../brand/language/language.ts';
import type { Reply } from '../../rest/http/reply.ts';
import { type Build, type Documents, type PublishedDocument, publishedBy } from './document.ts';
import { issuedAt } from './identity.ts';
import type { Site } from './site.ts';

/** A document as it is served. */
export interface Edition {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Strong: the quoted SHA-256 of the body (RFC 9110, 8.8.3). */
  readonly etag: string;
  /** What a 304 carries too. */
  readonly headers: Reply['headers'];
}

/** Its own type first, then the one it offers besides. */
export type Editions = readonly [main: Edition, alternate?: Edition];

/** By language tag; a document that addresses nobody has one, for the brand's own language. */
export type LocalEditions = ReadonlyMap<string, Editions>;

/**
 * Every document of a site, one after the other: in between, a server that is being reloaded answers its requests.
 * @throws Error when one cannot be built
 */
export async function buildEditions(
  site: Site,
  documents: Documents,
): Promise<ReadonlyMap<PublishedDocument, LocalEditions>> {
  const published = publishedBy(site, documents);
  const built = new Map<PublishedDocument, LocalEditions>();
  for (const document of published) {
    const spoken = document.localized ? languages() : [site.words];
    const local = spoken.map(words => [words.tag, editionsOf(document, { ...site, words }, published)] as const);
    built.set(document, new Map(local));
    await setImmediate();
  }
  return built;
}

function editionsOf(document: PublishedDocument, site: Site, published: Documents): Editions {
  const { contentType, build, alternate } = document;
  const edition = (type: string, content: ReturnType<Build>) => editionOf(document, site, type, content);
  const main = edition(contentType, build(site, published));
  if (!alternate) return [main];
  return [main, edition(alternate.contentType, alternate.build?.(site, published) ?? main.body)];
}

function editionOf(document: PublishedDocument, site: Site, contentType: string, content: ReturnType<Build>): Edition {
  if (content === undefined) throw new Error(`${document.path} has no content`);
  const body = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content);
  const issued = issuedAt(site);
  const vary = [...(document.alternate ? ['Accept'] : []), ...(document.localized ? ['Accept-Language'] : [])];
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  return {
    contentType,
    body,
    etag,
    headers: {
      etag,
      'cache-control': 'public, max-age=3600',
      ...(issued && { 'last-modified': issued.toUTCString() }),
      ...(vary.length > 0 && { vary: vary.join(', ') }),
      ...(document.localized && { 'content-language': site.words.tag }),
      ...(typeof document.headers === 'function' ? document.headers(site) : document.headers),
    },
  };
}
