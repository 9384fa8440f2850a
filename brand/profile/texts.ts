import { type Fault, fault, jsonPath } from './fault.ts';
import { firstInvisible } from './visible.ts';

interface TextMember {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** Every text of a document with its path, except in `signatures`. */
export function textsIn(value: unknown, path: readonly PropertyKey[] = []): TextMember[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => {
    if (path.length === 0 && name === 'signatures') return [];
    return textsIn(member, [...path, name]);
  });
}

/**
 * A fault for each text with a hidden character, which makes a person see other words than an agent reads
 * (CVE-2021-42574). `aval sign` refuses such a text; a server only warns.
 * @example hiddenFaults({ statement: 'a\u202Eb' }); // one fault with the path `statement`
 */
export function hiddenFaults(document: unknown): Fault[] {
  return textsIn(document).flatMap(({ path, text }) => {
    const character = firstInvisible(text.replaceAll('\r', ''));
    if (character === undefined) return [];
    return [fault(jsonPath(path), 'hidden_character', codePointName(character))];
  });
}

/** `U+202E` */
function codePointName(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return `U+${hex.toUpperCase().padStart(4, '0')}`;
}

/** A text in lower case without accents, compatibility forms taken apart: "Ñandú №1" is "nandu no1". */
export function foldedText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a text, folded: letters and figures. */
export function wordsOf(text: string): readonly string[] {
  return foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The language of a tag without its region: `en` of `en-GB`, and of AdCP's `en_GB`. */
export const primaryTag = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';
