// @ts-check

/** Replaces a space, and begins every word. */
const SPACE = '▁';

/** A word with its mark. No piece contains the mark inside, so each word is cut alone. */
const WORD = /▁[^▁]*/g;

/** Words in the cache: most words of questions are among a few thousand. */
const WORDS_KEPT = 4000;

/** Longer texts are cut first: NFKC makes up to 18 characters of one. Long claims have about 10,000. */
const MOST_CHARACTERS = 12_000;

/**
 * Opens a tokenizer.json of the type Unigram: a text becomes the pieces with the highest sum of scores (Kudo,
 * arXiv:1804.10959), after NFKC, with a mark for each space. @huggingface/tokenizers needs 37 MB for the same
 * 64,000 pieces, and 125 µs a question (this one 4 MB and 10 µs).
 * @param {Uint8Array} file
 * @returns {(text: string, limit: number) => number[]} ids of the first `limit` pieces of a text
 * @throws Error for a file that is no such tokenizer
 */
export function openUnigram(file) {
  const { model } = JSON.parse(new TextDecoder().decode(file));
  if (model?.type !== 'Unigram') throw new Error('no tokenizer of the type Unigram');
  /** @type {{ vocab: [piece: string, score: number][], unk_id: number }} */
  const { vocab, unk_id: unknown } = model;
  const ids = new Map(vocab.map(([piece], id) => [piece, id]));
  const scores = Float64Array.from(vocab, ([, score]) => score);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), 0) - 10;
  const longestPiece = vocab.reduce((most, [piece]) => Math.max(most, piece.length), 0);

  /**
   * The best pieces of a word. `best[end]` is the best way to reach the character `end`: where its last piece
   * starts, which piece that is, and the sum of scores so far.
   * @param {string} word
   */
  const cut = word => {
    /** @type {{ start: number, id: number, sum: number }[]} */
    const best = [{ start: 0, id: unknown, sum: 0 }];
    let size = 1;
    for (let start = 0; start < word.length; start += size) {
      size = (word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      const sumBefore = best[start]?.sum ?? 0;
      const furthest = Math.min(start + longestPiece, word.length);
      for (let end = start + size; end <= furthest; end += 1) {
        const isOneCharacter = end === start + size;
        const id = ids.get(word.slice(start, end)) ?? (isOneCharacter ? unknown : undefined);
        if (id === undefined) continue;
        const sum = sumBefore + (scores[id] ?? 0);
        if (sum > (best[end]?.sum ?? Number.NEGATIVE_INFINITY)) best[end] = { start, id, sum };
      }
    }
    /** @type {number[]} */
    const pieces = [];
    for (let end = word.length; end > 0; end = best[end]?.start ?? 0) pieces.push(best[end]?.id ?? unknown);
    pieces.reverse();
    // Unknown characters beside each other are one piece.
    return pieces.filter((id, place) => id !== unknown || pieces[place - 1] !== unknown);
  };

  /** @type {Map<string, number[]>} */
  const piecesOfWord = new Map();
  return (text, limit) => {
    const normal = text.normalize('NFKC').slice(0, MOST_CHARACTERS).replace(/ {2,}/g, ' ').trimEnd();
    const marked = normal.replaceAll(' ', SPACE);
    const words = (marked.startsWith(SPACE) ? marked : SPACE + marked).match(WORD) ?? [];
    /** @type {number[]} */
    const result = [];
    for (const word of words) {
      const pieces = piecesOfWord.get(word) ?? cut(word);
      if (piecesOfWord.size === WORDS_KEPT) piecesOfWord.clear();
      piecesOfWord.set(word, pieces);
      result.push(...pieces);
      if (result.length >= limit) break;
    }
    return result.slice(0, limit);
  };
}
