/**
 * Whether an Accept header asks for a media type rather than for another one (RFC 9110, 12.5.1): for `text/html` rather
 * than `application/json` it is a browser's form post, not a program. A wildcard prefers nothing.
 */
export function prefers(accept = '', type: string, other: string): boolean {
  if (accept === '' || accept === '*/*') return false;
  const wanted = quality(accept, type);
  return wanted > 0 && wanted > quality(accept, other);
}

/** Whether an Accept header names a media type itself, as one that may be answered. */
export const accepts = (accept = '', type: string): boolean => quality(accept, type) > 0;

/** Quality of a type that is named itself; what a quoted parameter holds names nothing. */
function quality(accept: string, type: string): number {
  for (const range of accept.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
    if (name !== type) continue;
    const q = parameters.find(parameter => parameter.startsWith('q='));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}
