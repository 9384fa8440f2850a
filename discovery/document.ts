import type { Site } from './site.ts';

/** The body of a document; `undefined` where this site does not publish it. Pure: the same site gives the same bytes. */
export type Build = (site: Site) => string | Uint8Array | undefined;

/** One published resource: where, as what, and how it is built. */
export interface PublishedDocument {
  readonly path: string;
  /** Further paths that answer the same bytes. */
  readonly aliases?: readonly string[];
  readonly contentType: string;
  readonly build: Build;
  /** What a client gets that asks for this type and not for `contentType`; the response then varies by Accept. */
  readonly alternate?: {
    readonly contentType: string;
    /** Without one the same bytes go by another name. */
    readonly build?: Build;
  };
  /** Headers of its own, in place of those that every response carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the switch that turns it off; the documents of the contract have none. */
  readonly feature?: string;
}
