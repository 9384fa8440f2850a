/*
 * This room is what is published for agents and machines: cards, catalogs, Markdown, robots.txt and the like.
 * In: a `Site` (site.ts), which says all about the service, and the list of published documents.
 * Out: the text of each document. The same site gives the same bytes.
 */
import { en } from '../../tools/words/en.ts';
import type { Messages } from '../../tools/words/es.ts';
import type { Feature, Publishing, Site } from './site.ts';

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
  /**
   * What a client gets that asks for this type and not for `contentType`; the response then varies by Accept.
   */
  readonly alternate?: {
    readonly contentType: string;
    /** Without one the same bytes go by another name. */
    readonly build?: Build;
  };
  /** Headers of its own, in place of those that every response carries. */
  readonly headers?: Readonly<Record<string, string>> | ((site: Site) => Readonly<Record<string, string>>);
  /** It addresses people: built in every language, and chosen by `?lang=` and Accept-Language. */
  readonly localized?: true;
  /** Name of the switch that turns it off; the documents of the contract have none. */
  readonly feature?: Feature;
  /** Parts of the site without which there is no such document. */
  readonly needs?: readonly ('profile' | 'jwks' | 'securityContact')[];
  /** It is gone once the profile has expired. */
  readonly expires?: true;
  /** The tool that it is about: without it there is no such document. */
  readonly tool?: string;
  /** Relation by which responses link to it (RFC 8288): all of them, or those of one path. */
  readonly link?: { readonly rel: string; readonly of?: string };
  /** How lists name it, by its row of the languages' tables; one without is not listed. */
  readonly listKey?: keyof Messages['documents'];
}

/** Whether the operator publishes a document: its switch is on, and what it needs of the settings is set. */
export function isEnabled({ feature, needs = [] }: PublishedDocument, publishing: Publishing): boolean {
  const isSet = needs.every(need => need === 'profile' || need === 'jwks' || publishing[need] !== undefined);
  return isSet && (feature === undefined || !publishing.off.has(feature));
}

/** Whether a site has a document: it is on, and what it is made of is there. */
export function isPublished(document: PublishedDocument, site: Site): boolean {
  const { tool, needs = [] } = document;
  const isOffered = tool === undefined || site.tools.some(({ name }) => name === tool);
  return isEnabled(document, site) && isOffered && needs.every(need => site[need] !== undefined);
}

/** JSON as people read it too, with a line end. */
export function jsonDocument(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** How a list names a document; what agents read is in English. Undefined: lists leave it out. */
export function listing(
  { listKey, tool }: PublishedDocument,
  words = en,
): { title: string; note: string } | undefined {
  if (listKey === undefined) return undefined;
  const { title, note } = words.documents[listKey];
  return tool === undefined ? { title, note } : { title: `${title} ${tool}`, note: `${note} ${tool}` };
}

/** A link to a document (RFC 9264, target attributes). */
export interface Target {
  readonly href: string;
  readonly type: string;
  readonly title?: string;
}

/** Links to those of the paths that are published, in that order. */
export function targets({ baseUrl }: Site, documents: Documents, ...paths: readonly string[]): Target[] {
  return paths.flatMap(path => {
    const document = find(documents, path);
    if (!document) return [];
    const entry = listing(document);
    return [
      {
        href: `${baseUrl}${path}`,
        type: mediaTypeOf(document.contentType),
        ...(entry && { title: entry.title }),
      },
    ];
  });
}

/** Value of `Link` (RFC 8288) on the responses of a path. */
export function linkHeader(documents: Documents, path: string): string {
  return documents
    .flatMap(document => {
      const { link, contentType } = document;
      if (!link || (link.of !== undefined && link.of !== path)) return [];
      return [`<${document.path}>; rel="${link.rel}"; type="${mediaTypeOf(contentType)}"`];
    })
    .join(', ');
}

export function find(documents: Documents, path: string): PublishedDocument | undefined {
  return documents.find(document => document.path === path);
}

/** A media type without its parameters. */
export const mediaTypeOf = (contentType: string): string => contentType.replace(/;.*/, '');

/**
 * Where the two JSON-RPC endpoints are. The paths of the REST facade stand in its own table, rest/routes.ts.
 */
export const MCP_PATH = '/mcp';
export const A2A_PATH = '/a2a';
