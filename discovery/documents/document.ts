import type { Feature } from './features.ts';
import type { Publishing, Site } from './site.ts';

/**
 * The body of a document. Pure: the same site gives the same bytes.
 * @param documents those that this site publishes, for a document that links to others
 */
export type Build = (site: Site, documents: Documents) => string | Uint8Array | undefined;

export type Documents = readonly PublishedDocument[];

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
  readonly feature?: Feature;
  /** Part of the site without which there is no such document. */
  readonly needs?: 'jwks' | 'securityContact' | 'registryAuth';
  /** Relation by which responses link to it (RFC 8288): all of them, or those of one path. */
  readonly link?: { readonly rel: string; readonly of?: string };
  /** How lists name it; one without is not listed. */
  readonly listed?: { readonly title: string; readonly note: string };
}

/** Whether the operator left the switch of a document on. */
export function isOn({ feature }: PublishedDocument, { off }: Publishing): boolean {
  return feature === undefined || !off.has(feature);
}

/** The documents of a site. */
export function publishedBy(site: Site, documents: Documents): Documents {
  return documents.filter(
    document => isOn(document, site) && (document.needs === undefined || site[document.needs] !== undefined),
  );
}

/** JSON as people read it too, with a line end. */
export function jsonDocument(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
