import type { Documents, PublishedDocument } from './document.ts';
import type { Site } from './site.ts';

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
    const { contentType, listed } = document;
    return [{ href: `${baseUrl}${path}`, type: bare(contentType), ...(listed && { title: listed.title }) }];
  });
}

/** Value of `Link` (RFC 8288) on the responses of a path. */
export function linkHeader(documents: Documents, path: string): string {
  return documents
    .flatMap(document => {
      const { link, contentType } = document;
      if (!link || (link.of !== undefined && link.of !== path)) return [];
      return [`<${document.path}>; rel="${link.rel}"; type="${bare(contentType)}"`];
    })
    .join(', ');
}

export function find(documents: Documents, path: string): PublishedDocument | undefined {
  return documents.find(document => document.path === path);
}

/** A media type without its parameters. */
export const bare = (contentType: string): string => contentType.replace(/;.*/, '');
