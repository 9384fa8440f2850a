import { visible } from '../../brand/profile/visible.ts';

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

/** `Name <local@domain>` or `local@domain` → the part behind the @, in lower case. */
export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/[>\s].*$/, '')
    .toLowerCase();
}
