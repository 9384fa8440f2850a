/**
 * What the published tool schemas leave out because some MCP hosts reject it (tools/json-schema.ts): the format of an
 * address, and that bounds hold for the trimmed text.
 */
export function fieldRules(name: string, { minLength }: Readonly<Record<string, unknown>>) {
  return { ...(isEmail(name) && { format: 'email' }), pattern: trimmedAtLeast(Number(minLength ?? 0)) };
}

export const isEmail = (name: string) => name === 'email';

/** JavaScript trims the byte order mark as well; other regular expressions do not count it as space. */
const INK = '[^\\s\\uFEFF]';

/** Matches a text with that many characters between its first and its last that is no space. */
function trimmedAtLeast(length: number): string {
  return length < 2 ? INK : `${INK}[\\s\\S]{${length - 2},}${INK}`;
}
