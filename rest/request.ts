import { ServiceError } from '../tools/errors.ts';

/**
 * Whether an Accept header prefers one media type over another (RFC 9110, 12.5.1). A browser prefers `text/html` to
 * `application/json`; programs do not. A wildcard prefers nothing.
 */
export function prefers(accept = '', type: string, other: string): boolean {
  if (accept === '' || accept === '*/*') return false;
  const wanted = quality(accept, type);
  return wanted > 0 && wanted > quality(accept, other);
}

/** Whether an Accept header names a media type itself, as one that may be answered; Accept-Encoding names codings likewise. */
export const accepts = (accept = '', type: string): boolean => quality(accept, type) > 0;

/** Real Accept headers have some 200 characters. A longer one counts as none, so that reading one costs the same for everybody. */
const MAX_ACCEPT = 1024;

/** The quality of a type that the header names itself. What stands inside a quoted parameter names nothing. */
function quality(accept: string, type: string): number {
  if (accept.length > MAX_ACCEPT) return 0;
  for (const range of accept.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
    if (name !== type) continue;
    const q = parameters.find(parameter => parameter.startsWith('q='));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}

/**
 * The query string of a request target (`/ask?q=…`). A percent sign that escapes nothing stands for itself.
 * @throws ServiceError `invalid_request` when the escaped bytes are not UTF-8
 */
export function parseQuery(target = ''): URLSearchParams {
  const start = target.indexOf('?');
  const query = start === -1 ? '' : target.slice(start + 1);
  requireUtf8(query);
  return new URLSearchParams(query);
}

const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi;

function requireUtf8(query: string): void {
  try {
    decodeURIComponent(query.replace(STRAY_PERCENT, '%25'));
  } catch (cause) {
    throw new ServiceError('invalid_request', {
      message: 'The query string is not valid UTF-8.',
      hint: 'Percent-encode the UTF-8 bytes of the question.',
      cause,
    });
  }
}
