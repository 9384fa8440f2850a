import type { H3Event } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { parseAccept } from '../tools/words/language.ts';

/** The language that a browser asks for, and its codings. */
export interface Visit {
  /** `?lang=`, or null. */
  readonly lang: string | null;
  readonly acceptLanguage: string | undefined;
  readonly acceptsGzip: boolean;
}

/**
 * Whether a request wants a page: a navigating browser prefers text/html. A client that accepts anything or
 * posts JSON is a program.
 */
export const prefersPage = ({ req }: H3Event): boolean =>
  prefers(req.headers.get('accept'), 'text/html', 'application/json') &&
  !/^application\/json\b/i.test(req.headers.get('content-type') ?? '');

/**
 * Reads a visit. It finds `lang` in the raw query, so that a page works although other bytes are not UTF-8.
 */
export function visitOf({ req, url }: H3Event): Visit {
  return {
    lang: /[?&]lang=([a-z-]{2,35})/i.exec(url.search)?.[1] ?? null,
    acceptLanguage: req.headers.get('accept-language') ?? undefined,
    acceptsGzip: accepts(req.headers.get('accept-encoding'), 'gzip'),
  };
}

/**
 * Whether an Accept header prefers one media type over another (RFC 9110, 12.5.1). A wildcard prefers
 * nothing.
 * @example prefers('text/html, text/plain;q=0.5', 'text/html', 'application/json'); // true
 */
export function prefers(accept: string | null, type: string, alternative: string): boolean {
  if (accept === null || accept === '*/*') return false;
  const wanted = quality(accept, type);
  return wanted > 0 && wanted > quality(accept, alternative);
}

/**
 * Whether an Accept header names a media type itself with a weight over 0. Accept-Encoding names codings
 * likewise.
 * @example accepts('gzip, br;q=0', 'br'); // false
 */
export const accepts = (accept: string | null, type: string): boolean => quality(accept ?? '', type) > 0;

/** The weight of a type that the header names itself. */
const quality = (accept: string, type: string): number =>
  parseAccept(accept).find(({ name }) => name === type)?.quality ?? 0;

/**
 * Checks percent-encoded bytes. A percent sign that escapes nothing is a plain character.
 * @throws URIError for escaped bytes that are not UTF-8
 */
export function requireUtf8(text: string): void {
  decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
}

/**
 * The query string. h3's `getQuery` replaces bytes that are not UTF-8.
 * @throws ServiceError `invalid_request` when the escaped bytes are not UTF-8
 */
export function queryOf({ url }: H3Event): URLSearchParams {
  try {
    requireUtf8(url.search);
    return url.searchParams;
  } catch (cause) {
    throw new ServiceError('invalid_request', {
      message: 'The query string is not valid UTF-8.',
      hint: 'Percent-encode the UTF-8 bytes of the question.',
      cause,
    });
  }
}
