/** A text in lower case without accents, compatibility forms taken apart: "Ñandú №1" is "nandu no1". */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** The words of a text, folded: letters and figures. */
export const wordsOf = (text: string): string[] => foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
