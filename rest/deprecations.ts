import type { H3Event } from 'h3';
import { ROUTES } from './routes.ts';

/** A version of the API that is going away. */
export interface Deprecation {
  /** Every path that starts with this is deprecated. */
  readonly prefix: string;
  readonly announced: Date;
  readonly sunset: Date;
  /** URL of the notice. */
  readonly notice: string;
}

/** A row puts the three headers on every response under its prefix. Nothing is deprecated now. */
export const DEPRECATIONS: readonly Deprecation[] = [];

/** Days that a deprecated version keeps working at least. */
export const NOTICE_DAYS = 180;

/** A middleware that puts the three headers on the responses of deprecated paths. */
export function deprecations({ url, context }: H3Event): void {
  if (DEPRECATIONS.length > 0) context.headers.push(...Object.entries(deprecationHeaders(url.pathname)));
}

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` for a path; nothing where it is not deprecated.
 * An alias goes away with the version that it is pinned to.
 */
export function deprecationHeaders(path: string, deprecations = DEPRECATIONS): Record<string, string> {
  const pinned = ROUTES.find(({ aliases }) => aliases.includes(path))?.path ?? path;
  const row = deprecations.find(({ prefix }) => pinned === prefix || pinned.startsWith(`${prefix}/`));
  if (!row) return {};
  return {
    deprecation: `@${Math.floor(row.announced.getTime() / 1000)}`,
    sunset: row.sunset.toUTCString(),
    link: `<${row.notice}>; rel="deprecation"; type="text/html"`,
  };
}

/** @throws Error at start when a version would end within 180 days of its announcement */
export function checkDeprecations(deprecations = DEPRECATIONS): void {
  const noticeMs = NOTICE_DAYS * 86_400_000;
  for (const { prefix, announced, sunset } of deprecations) {
    if (sunset.getTime() - announced.getTime() >= noticeMs) continue;
    throw new Error(`${prefix}: Sunset must be at least ${NOTICE_DAYS} days after Deprecation`);
  }
}
