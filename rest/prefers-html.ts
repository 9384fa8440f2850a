/** Whether an Accept header asks for HTML rather than JSON (RFC 9110, 12.5.1): a browser's form post, not a program. */
export function prefersHtml(accept = ''): boolean {
  const html = quality(accept, 'text/html');
  return html > 0 && html > quality(accept, 'application/json');
}

/** Quality of a type that is named itself; a wildcard prefers nothing. */
function quality(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
    if (name !== type) continue;
    const q = parameters.find(parameter => parameter.startsWith('q='));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}
