import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Messages } from '../tools/words/es.ts';
import { LANGUAGES } from '../tools/words/language.ts';
import { type Build, type Documents, isPublished, type PublishedDocument } from './documents/document.ts';
import { issuedAt } from './documents/identity.ts';
import type { Site } from './documents/site.ts';

/** A document as it is served. */
export interface Edition extends Representation {
  readonly contentType: string;
  /** What a browser gets of a page or a script; other documents are served as they are, so that their bytes are what was signed. */
  readonly gzipped?: Representation;
}

/** Bytes with the headers that belong to them. */
interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Strong: the quoted SHA-256 of the body (RFC 9110, 8.8.3). */
  readonly etag: string;
  /** What a 304 carries too. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Its own type first, then the one it offers besides. */
export type Editions = readonly [main: Edition, alternate?: Edition];

export type EditionCache = ReturnType<typeof createEditions>;

/** Pages of single claims that are kept. */
const KEPT_CLAIMS = 500;

/** The documents of a site, each made when it is first asked for. */
export function createEditions(site: Site, documents: Documents) {
  const published = documents.filter(document => isPublished(document, site));
  const made = new Map<string, Editions>();
  const claims = new LRUCache<string, Editions>({ max: KEPT_CLAIMS });
  /** A document in a language; one that addresses nobody has the brand's own alone. Nothing where the site does not publish it. */
  const get = (document: PublishedDocument, words: Messages): Editions | undefined => {
    const key = `${document.path} ${words.tag} ${site.isExpired()}`;
    const editions =
      made.get(key) ??
      (published.includes(document) ? editionsOf(document, { ...site, words }, published) : undefined);
    if (editions) made.set(key, editions);
    return editions;
  };
  return {
    get,
    /** The page of one claim: a profile may have thousands, so only those that were asked for last are kept. */
    claim(document: PublishedDocument, words: Messages): Editions {
      const key = `${document.path} ${words.tag} ${site.isExpired()}`;
      const editions = claims.get(key) ?? editionsOf(document, { ...site, words }, published);
      claims.set(key, editions);
      return editions;
    },
    /** Makes all that nobody has asked for yet, one after the other: in between, requests are answered. */
    async fill(): Promise<void> {
      await site.examples.check();
      for (const document of published) {
        for (const words of document.localized ? LANGUAGES : [site.words]) {
          get(document, words);
          await setImmediate();
        }
      }
    },
  };
}

function editionsOf(document: PublishedDocument, site: Site, published: Documents): Editions {
  const { contentType, build, alternate } = document;
  const edition = (type: string, content: ReturnType<Build>) => editionOf(document, site, type, content);
  const main = edition(contentType, build(site, published));
  if (!alternate) return [main];
  return [main, edition(alternate.contentType, alternate.build?.(site, published) ?? main.body)];
}

function editionOf(
  document: PublishedDocument,
  site: Site,
  contentType: string,
  content: ReturnType<Build>,
): Edition {
  if (content === undefined) throw new Error(`${document.path} has no content`);
  const body = Uint8Array.from(typeof content === 'string' ? Buffer.from(content) : content);
  const issued = issuedAt(site);
  const isForBrowsers = /^(text\/(html|javascript|css)|image\/svg)/.test(contentType);
  const vary = [
    ...(document.alternate ? ['Accept'] : []),
    ...(document.localized ? ['Accept-Language'] : []),
    ...(isForBrowsers ? ['Accept-Encoding'] : []),
  ];
  const headers = {
    'cache-control': 'public, max-age=3600',
    ...(issued && { 'last-modified': issued.toUTCString() }),
    ...(vary.length > 0 && { vary: vary.join(', ') }),
    ...(document.localized && { 'content-language': site.words.tag }),
    ...(typeof document.headers === 'function' ? document.headers(site) : document.headers),
  };
  return {
    contentType,
    ...representation(body, headers),
    ...(isForBrowsers && {
      gzipped: representation(Uint8Array.from(gzipSync(body)), { ...headers, 'content-encoding': 'gzip' }),
    }),
  };
}

/** Each coding of a document has a tag of its own (RFC 9110, 8.8.3.3). */
function representation(
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Representation {
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  return { body, etag, headers: { etag, ...headers } };
}
