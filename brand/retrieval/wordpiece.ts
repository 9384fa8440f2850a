import { LRUCache } from 'lru-cache';

export interface WordPieceOptions {
  /** Pieces of words with their ids. */
  readonly ids: ReadonlyMap<string, number>;
  /** Begins the pieces that continue a word. */
  readonly prefix: string;
  /** Id of a word that cannot be cut. */
  readonly unknown: number | undefined;
  /** A word of more code points is unknown. */
  readonly longestWord: number;
}

/** What BERT's cleaning drops (uncased BERT, https://github.com/google-research/bert/blob/master/tokenization.py). */
const DROPPED = /[\u{FFFD}\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const IDEOGRAPH = /[\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}]/gu;
const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

/**
 * Reads texts as uncased BERT does: cleaned, lower case, accents stripped, cut into words and marks, every word cut into the
 * longest pieces of the vocabulary from the left. The one kind of tokenizer that matters to the bundled model, whose words need not
 * be parsed for it; test/wordpiece.test.ts holds it to the general package.
 */
export function createWordPiece({
  ids: pieces,
  prefix,
  unknown,
  longestWord,
}: WordPieceOptions): (text: string) => number[] {
  const ofNoPieces = unknown === undefined ? [] : [unknown];
  const known = new LRUCache<string, readonly number[]>({ max: WORDS_KEPT });
  const idsOf = (word: string) => {
    const kept = known.get(word);
    if (kept) return kept;
    const ids = (isLonger(word, longestWord) ? undefined : cut(word)) ?? ofNoPieces;
    known.set(word, ids);
    return ids;
  };
  const longestPiece = [...pieces.keys()].reduce((longest, piece) => Math.max(longest, piece.length), 0);
  /** Ids of the longest pieces from the left; undefined where some part is no piece. */
  const cut = (word: string): number[] | undefined => {
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      const lead = start === 0 ? '' : prefix;
      let end = Math.min(word.length, start + longestPiece);
      while (end > start && !pieces.has(lead + word.slice(start, end))) end -= 1;
      const id = pieces.get(lead + word.slice(start, end));
      if (id === undefined || end === start) return undefined;
      found.push(id);
      start = end;
    }
    return found;
  };
  return text => (normalise(text).match(WORD) ?? []).flatMap(idsOf);
}

/** Most words of most questions are the same few thousand. */
const WORDS_KEPT = 4000;

/** Letters and marks of western languages: nothing to drop, nothing to set apart. */
const PLAIN = /^[ -~\u{A1}-\u{AC}\u{AE}-\u{17F}]*$/u;

function normalise(text: string): string {
  return clean(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
}

function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[\t\n\r]/g, ' ')
    .replace(DROPPED, '')
    .replace(IDEOGRAPH, ' $& ');
}

/** Counted in code points. */
function isLonger(word: string, limit: number): boolean {
  return word.length > limit && [...word].length > limit;
}
