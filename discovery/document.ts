import type { Site } from './site.ts';

/** One published resource: where, as what, and how it is built. */
export interface PublishedDocument {
  readonly path: string;
  /** Further paths that answer the same bytes. */
  readonly aliases?: readonly string[];
  readonly contentType: string;
  /** The body; `undefined` where this site does not publish the document. Pure: the same site gives the same bytes. */
  readonly build: (site: Site) => string | Uint8Array | undefined;
  /** Name of the switch that turns it off; the documents of the contract have none. */
  readonly feature?: string;
}
