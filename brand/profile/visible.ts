/** Control and bidi characters as their escapes: nothing is hidden or steers a terminal, and no line is read in another order. */
export const visible = (text: string): string =>
  text.replace(UNPRINTABLE, one => `\\u{${one.codePointAt(0)?.toString(16).toUpperCase()}}`);

/** The same in JSON, whose escapes a program reads back. */
export const visibleJson = (json: string): string =>
  json.replace(UNPRINTABLE, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Joined emoji (U+200D) and scripts that need joiners keep their form, and texts their tabs and line feeds. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
