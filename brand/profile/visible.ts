/*
 * A character that nobody sees: control, format, bidi and zero-width characters, fillers, the blank of
 * braille, and the tag characters U+E0020 to U+E007F, which carry a text of their own. Examples: "\u001B"
 * (starts a terminal command), "\u202E" (turns the text round), "\u3164" (a name of nothing), "\u{E0041}" (a
 * hidden A).
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\u2800\uFFF9-\uFFFB]`;

/*
 * Kept as they are: tabs, line feeds, and one joiner or variation selector between visible characters.
 * Examples: the joiner in "👩‍🔬", the selector in "❤️", the non-joiner in Persian "می‌خواهم".
 */
const VISIBLE_BEFORE = String.raw`(?<=[^\s\p{DI}])`;
const JOINER = String.raw`\uFE0F?[\u200C\u200D](?=[^\s\p{DI}])`;
const VARIATION = String.raw`[\uFE0E\uFE0F](?!\p{DI})`;
const KEPT = String.raw`[\t\n]|${VISIBLE_BEFORE}(?:${JOINER}|${VARIATION})`;

const KEPT_OR_INVISIBLE = new RegExp(`(${KEPT})|${INVISIBLE}`, 'gu');

const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Whether a text has nothing that anybody sees: spaces and invisible characters alone. */
export const isBlank = (text: string): boolean => text.replace(ALL_INVISIBLE, '').trim() === '';

/**
 * Code points from the first visible character to the last. 0 for a blank text.
 * @example visibleLength('\u200Ba b\u3164'); // 3
 */
export function visibleLength(text: string): number {
  const isVisible = (character: string) => !isBlank(character);
  const characters = [...text];
  const first = characters.findIndex(isVisible);
  return first < 0 ? 0 : characters.findLastIndex(isVisible) - first + 1;
}

/** Text on one line: each invisible character and each break is a space. Joiners inside emoji stay. */
export const visibleLine = (text: string): string =>
  text.replace(KEPT_OR_INVISIBLE, (_, kept?: string) => kept ?? ' ').replace(/\s+/g, ' ');

/**
 * A text of at most `max` characters: a longer one ends with an ellipsis. Counts code points, so that no emoji
 * is cut in two.
 * @example shortened('abcdef', 4); // 'abc…'
 */
export function shortened(text: string, max: number): string {
  // A code point has at most two units, so a huge text is not split as a whole.
  const characters = [...text.slice(0, 2 * max + 1)];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** The first invisible character of a text; undefined if it has none. */
export function firstInvisible(text: string): string | undefined {
  for (const [character, kept] of text.matchAll(KEPT_OR_INVISIBLE)) if (kept === undefined) return character;
  return undefined;
}

/**
 * Shows invisible characters as JSON's escapes, so that a foreign text can neither hide words nor steer a
 * terminal. A program reads the same characters from an escaped JSON text.
 * @example escapeInvisible('a\u202Eb'); // 'a\\u202eb'
 */
export function escapeInvisible(text: string): string {
  return text.replace(KEPT_OR_INVISIBLE, (character: string, kept?: string) => {
    return kept ?? unicodeEscapes(character);
  });
}

/** `\uD83D\uDE00`: one escape for each UTF-16 unit. */
function unicodeEscapes(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
