/** Control and format characters (bidi overrides, zero width), line and paragraph separators, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;

/**
 * Text for a header or a single line: nothing in it can end the line, as it is or decoded: `=?` begins an encoded word
 * (RFC 2047). At most `max` code points.
 */
export function singleLine(value: string, max = 120): string {
  const clean = [...value.replace(UNSEEN, ' ').replaceAll('=?', '= ?').replace(/ {2,}/g, ' ').trim()];
  return clean.length <= max ? clean.join('') : `${clean.slice(0, max - 1).join('')}…`;
}

/** Text for the body, every line behind `> `: what a person wrote can look like nothing else in the mail. */
export function quotedLines(value: string): string {
  const lines = value.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n');
  return lines.map(line => `> ${visible(line)}`.trimEnd()).join('\n');
}

/** Control and bidi characters as their escapes: nothing is hidden, and no line is read in another order. */
export const visible = (text: string): string =>
  text.replace(UNPRINTABLE, one => `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`);

/** As UNSEEN, but joined emoji (U+200D) and scripts that need joiners keep their form, and texts their tabs and line feeds. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** `Name <local@domain>` or `local@domain` → the part behind the @, in lower case. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/[>\s].*$/, '')
    .toLowerCase();
}
