import { IncomingMessage } from 'node:http';
import { type H3, type H3Event, toNodeHandler } from 'h3';
import { parseUrl } from '../../brand/profile/web-address.ts';
import { nodeRequest } from '../../rest/event.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Middleware } from './middleware.ts';

/** The path as sent. Another spelling such as /a/../ask is another path. */
export function pathOf({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?');
  if (url.startsWith('/')) return query < 0 ? url : url.slice(0, query);
  return parseUrl(url)?.pathname;
}

/**
 * The longest path: an id of a claim has up to 100 characters, each up to nine when percent-encoded. h3 would
 * parse a longer path before our middleware runs: 2 ms for 30,000 characters.
 */
const MAX_PATH = 1000;

/** Replaces a path that is too long, and gets 404. */
const UNKNOWN_PATH = '/-';

/**
 * Makes the handler for node:http. A path that the app does not have goes to `next`, or gets 404.
 * @param paths all paths of the app
 */
export function nodeMiddleware(app: H3, paths: ReadonlySet<string>): Middleware {
  const answer = toNodeHandler(app);
  return (request, response, next) => {
    if (!(request instanceof IncomingMessage))
      throw new TypeError('Aval answers HTTP/1.1: let a proxy speak HTTP/2');
    const path = pathOf(request) ?? '';
    if (next && !paths.has(path)) return next();
    if (path.length > MAX_PATH) request.url = UNKNOWN_PATH;
    void answer(request, response);
  };
}

/**
 * Node drops further headers, X-Forwarded-For perhaps among them, so such a request is refused. Browsers send
 * about 30.
 */
export const MAX_HEADERS = 128;

/**
 * A middleware that refuses a message which a proxy on its way could read differently.
 * @throws ServiceError `invalid_request`
 */
export function requireUnambiguous(event: H3Event): void {
  const request = nodeRequest(event);
  const { url, headers, rawHeaders, httpVersion } = request;
  if (url !== '*' && !isDecodable(pathOf(request))) {
    throw invalidRequest('The path is not valid.', 'Send a path, percent-encoded as UTF-8.');
  }
  // Names and values alternate in `rawHeaders`.
  if (rawHeaders.length >= 2 * MAX_HEADERS) {
    throw new ServiceError('invalid_request', {
      reason: 'too-many-headers',
      message: 'The request has too many headers.',
      hint: `Send fewer than ${MAX_HEADERS}.`,
    });
  }
  // Of several Host headers, `headers` has only the first.
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  ).length;
  if (hosts > 1) throw invalidRequest('The request has more than one Host header.', 'Send one.');
  // Node would refuse it with an empty 400 (RFC 9112, 3.2).
  if (hosts === 0 && httpVersion !== '1.0') {
    throw invalidRequest('The Host header is missing.', 'Send a Host header, as HTTP/1.1 demands.');
  }
  // Node decodes `chunked` only (RFC 9112, 6.1).
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && !/^(chunked)?$/i.test(coding)) {
    throw invalidRequest(
      'The Transfer-Encoding is not supported.',
      'Send the body chunked or with its length.',
    );
  }
}

function isDecodable(path: string | undefined): boolean {
  try {
    return path !== undefined && decodeURI(path) !== '';
  } catch {
    return false;
  }
}

const invalidRequest = (message: string, hint: string) =>
  new ServiceError('invalid_request', { message, hint });
