import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Messages } from '../tools/words/es.ts';
import { LANGUAGES } from '../tools/words/language.ts';
import { type Build, type Documents, isPublished, type PublishedDocument } from './documents/document.ts';
import { issuedAt } from './documents/identity.ts';
import type { Site } from './documents/site.ts';

/** A document as it is served. */
export interface Edition extends Representation {
  readonly contentType: string;
  /** For browsers, of pages and scripts only: other documents keep their bytes, which may be signed. */
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

/** The main media type, then the alternate one. */
export type Editions = readonly [main: Edition, alternate?: Edition];

export type EditionStore = ReturnType<typeof createEditions>;

/**
 * The documents of a site, in memory. `fill` or the first request builds all of them once. Only the page of a
 * claim is built for each request, in a millisecond.
 */
export function createEditions(site: Site, documents: Documents) {
  const published = documents.filter(document => isPublished(document, site));
  // By whether the profile has expired: documents change their words then, so they are built again.
  const built = new Map<boolean, Promise<Built>>();
  const build = (): Promise<Built> => {
    const isExpired = site.isExpired();
    const known = built.get(isExpired);
    if (known) return known;
    const building = buildAll(site, published);
    built.set(isExpired, building);
    // The next request tries again.
    building.catch(() => built.delete(isExpired));
    return building;
  };
  return {
    /**
     * A document in a language. One that is not `localized` has the brand's language only. Undefined if the
     * site does not publish it.
     */
    async get(document: PublishedDocument, words: Messages): Promise<Editions | undefined> {
      return (await build()).get(editionKey(document, words));
    },
    /** The page of one claim, made for each request: a profile may have thousands. */
    claim(document: PublishedDocument, words: Messages): Editions {
      return editionsOf(document, { ...site, words }, published);
    },
    /** Builds every document. @throws Error for a document that cannot be built */
    async fill(): Promise<void> {
      await build();
    },
  };
}

/** Editions by path and language. */
type Built = ReadonlyMap<string, Editions>;

const editionKey = ({ path }: PublishedDocument, { tag }: Messages) => `${path} ${tag}`;

async function buildAll(site: Site, published: Documents): Promise<Built> {
  const built = new Map<string, Editions>();
  for (const document of published) {
    for (const words of document.localized ? LANGUAGES : [site.words]) {
      built.set(editionKey(document, words), editionsOf(document, { ...site, words }, published));
      // Lets requests be answered between two documents.
      await setImmediate();
    }
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

/** Each coding of a document needs its own tag (RFC 9110, 8.8.3.3). */
function representation(
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Representation {
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  return { body, etag, headers: { etag, ...headers } };
}
