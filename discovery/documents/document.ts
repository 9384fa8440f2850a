/*
 * This room builds what agents and machines read: cards, catalogs, Markdown, robots.txt and the like.
 * In: a `Site` (site.ts), the facts about the service, and the list of published documents.
 * Out: the text of each document. The same site gives the same bytes.
 */
import type { Feature, Publishing, Site } from './site.ts';

/**
 * The body of a document. Pure: the same site gives the same bytes.
 * @param documents all documents of the site, for links
 */
export type Build = (site: Site, documents: Documents) => string | Uint8Array | undefined;

export type Documents = readonly PublishedDocument[];

/** A published resource: its path, its media type, and how it is built. */
export interface PublishedDocument {
  readonly path: string;
  /** Further paths that answer the same bytes. */
  readonly aliases?: readonly string[];
  readonly contentType: string;
  readonly build: Build;
  /** A second media type, for clients whose Accept prefers it to `contentType`. */
  readonly alternate?: {
    readonly contentType: string;
    /** Default: the same bytes. */
    readonly build?: Build;
  };
  /** These headers replace the common ones of the same name. */
  readonly headers?: Readonly<Record<string, string>> | ((site: Site) => Readonly<Record<string, string>>);
  /** For people: built in every language, chosen by `?lang=` and Accept-Language. */
  readonly localized?: true;
  /** Its switch in PUBLISH_OFF. The contract's documents have none. */
  readonly feature?: Feature;
  /** Parts of the site that it needs. Without one of them it is not published. */
  readonly needs?: readonly ('profile' | 'jwks' | 'securityContact')[];
  /** It is not served once the profile has expired. */
  readonly expires?: true;
  /** The tool that it describes. It is published only if the site offers the tool. */
  readonly tool?: string;
  /** Its relation in `Link` headers (RFC 8288), on every response or on those of the path `of`. */
  readonly link?: { readonly rel: string; readonly of?: string };
  /** How lists name it, in English. Without it no list does. */
  readonly listing?: { readonly title: string; readonly note: string };
}

/** Whether the settings allow a document: its switch is on, and the settings that it needs are set. */
export function isEnabled({ feature, needs = [] }: PublishedDocument, publishing: Publishing): boolean {
  const isSet = needs.every(need => need === 'profile' || need === 'jwks' || publishing[need] !== undefined);
  return isSet && (feature === undefined || !publishing.off.has(feature));
}

/** Whether a site publishes a document: the settings allow it, and the profile has what it needs. */
export function isPublished(document: PublishedDocument, site: Site): boolean {
  const { tool, needs = [] } = document;
  const isOffered = tool === undefined || site.tools.some(({ name }) => name === tool);
  return isEnabled(document, site) && isOffered && needs.every(need => site[need] !== undefined);
}

/** Indented JSON with a line end. */
export function jsonDocument(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A link to a document (RFC 9264, target attributes). */
export interface Target {
  readonly href: string;
  readonly type: string;
  readonly title?: string;
}

/**
 * Links to the published ones of the paths, in their order.
 * @example targets(site, DOCUMENTS, '/openapi.json'); // [{ href: 'https://acme.example/openapi.json', … }]
 */
export function targets({ baseUrl }: Site, documents: Documents, ...paths: readonly string[]): Target[] {
  return paths.flatMap(path => {
    const document = find(documents, path);
    if (!document) return [];
    const { contentType, listing } = document;
    const type = mediaTypeOf(contentType);
    return [{ href: `${baseUrl}${path}`, type, ...(listing && { title: listing.title }) }];
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

/** Paths of the two JSON-RPC endpoints. Those of REST are in rest/routes.ts. */
export const MCP_PATH = '/mcp';
export const A2A_PATH = '/a2a';
