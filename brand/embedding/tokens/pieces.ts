/** The words of a vocabulary, found where they lie in its text. */
export interface Pieces {
  readonly size: number;
  /** The word of an id; empty where there is none. */
  word(id: number): string;
  idOf(word: string): number | undefined;
  /** Ids of the longest pieces from the left, all but the first with the prefix; `undefined` where some part is no piece. */
  cut(word: string): number[] | undefined;
}

/** FNV-1a over UTF-16 code units (RFC 9923). */
const EMPTY = 0x811c9dc5;
const hashed = (hash: number, unit: number) => Math.imul(hash ^ unit, 0x01000193);

/**
 * Open addressing over the text itself: a start need not make 49,131 strings, and a part of a word that is no piece is seldom
 * cut out to be looked up.
 * @param words one a line, in the order of their ids from 0
 * @param prefix begins the words that continue another
 */
export function createPieces(words: string, prefix: string): Pieces {
  const starts: number[] = [];
  const lengthOf = (id: number) => (starts[id + 1] ?? words.length + 1) - starts[id]! - 1;
  // A word takes a letter and the end of a line at least: some slot stays free.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(words.length / 2 + 2)));
  const slotOf = (hash: number) => hash & (slots.length - 1);
  let longest = 0;

  for (let start = 0; start <= words.length; ) {
    const id = starts.push(start) - 1;
    let hash = EMPTY;
    let end = start;
    for (; end < words.length && words[end] !== '\n'; end += 1) hash = hashed(hash, words.charCodeAt(end));
    let slot = slotOf(hash);
    while (slots[slot] !== 0) slot = slotOf(slot + 1);
    if (end > start) slots[slot] = id + 1;
    longest = Math.max(longest, end - start);
    start = end + 1;
  }

  const idOf = (word: string): number | undefined => {
    for (let slot = slotOf(hashOf(word)); slots[slot] !== 0; slot = slotOf(slot + 1)) {
      const id = slots[slot]! - 1;
      if (lengthOf(id) === word.length && words.startsWith(word, starts[id])) return id;
    }
    return undefined;
  };

  /** The longest piece of a word from there on; where its hash leads to a free slot nothing need be cut out to know that it is none. */
  const pieceAt = (word: string, start: number): number | undefined => {
    const lead = start === 0 ? '' : prefix;
    const ends: number[] = [];
    let hash = hashOf(lead);
    for (let end = start + 1; end <= word.length && end - start <= longest; end += 1) {
      hash = hashed(hash, word.charCodeAt(end - 1));
      if (slots[slotOf(hash)] !== 0) ends.push(end);
    }
    while (ends.length > 0) {
      const id = idOf(lead + word.slice(start, ends.pop()));
      if (id !== undefined) return id;
    }
    return undefined;
  };

  return {
    size: starts.length,
    word: id => (starts[id] === undefined ? '' : words.substr(starts[id], lengthOf(id))),
    idOf,
    cut(word) {
      const ids: number[] = [];
      for (let start = 0; start < word.length; ) {
        const id = pieceAt(word, start);
        if (id === undefined) return undefined;
        ids.push(id);
        start += lengthOf(id) - (start === 0 ? 0 : prefix.length);
      }
      return ids;
    },
  };
}

function hashOf(word: string): number {
  let hash = EMPTY;
  for (let at = 0; at < word.length; at += 1) hash = hashed(hash, word.charCodeAt(at));
  return hash;
}
