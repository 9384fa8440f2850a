import { ServiceError } from '../../tools/errors.ts';

/**
 * The query string of a request target (`/ask?q=…`). A percent sign that escapes nothing stands for itself.
 * @throws ServiceError `invalid_request` when the escaped bytes are not UTF-8
 */
export function parseQuery(target: string): URLSearchParams {
  const start = target.indexOf('?');
  const query = start === -1 ? '' : target.slice(start + 1);
  if (ESCAPED_HIGH_BYTE.test(query)) requireUtf8(query);
  return new URLSearchParams(query);
}

const ESCAPED_HIGH_BYTE = /%[89a-f]/i;
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
