/** The last text: six readers ask for the same question one after the other. */
let last = { text: '', folded: '' };
let lastWords: { readonly text: string; readonly words: readonly string[] } = { text: '', words: [] };

/** A text in lower case without accents, compatibility forms taken apart: "Ñandú №1" is "nandu no1". */
export function foldedText(text: string): string {
  if (text === last.text) return last.folded;
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  last = { text, folded };
  return folded;
}

/** The words of a text, folded: letters and figures. */
export function wordsOf(text: string): readonly string[] {
  if (text !== lastWords.text) lastWords = { text, words: foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [] };
  return lastWords.words;
}
