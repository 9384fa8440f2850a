/**
 * Invisible characters as their escapes: control and bidi characters, zero-width ones, fillers, the tag characters
 * (U+E0020 to U+E007F) that carry text nobody sees. Nothing is hidden or steers a terminal.
 */
export const escapeInvisible = (text: string): string =>
  text.replace(
    HIDDEN,
    (character, kept) => kept ?? `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );

/** The same in JSON, whose escapes a program reads back. */
export const escapeInvisibleJson = (json: string): string =>
  json.replace(HIDDEN, (character: string, kept?: string) => kept ?? unicodeEscapes(character));

function unicodeEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/**
 * First, kept as they are: tabs, line feeds, and one joiner or variation selector between visible characters, as joined
 * emoji and scripts such as Persian have them. Then what is escaped.
 */
const HIDDEN =
  /([\t\n]|(?<=[^\s\p{DI}])(?:\uFE0F?[\u200C\u200D](?=[^\s\p{DI}])|[\uFE0E\uFE0F](?!\p{DI})))|[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu;
