// @ts-check

/** What stands for a space, and begins every word. */
const SPACE = '▁';

/** A word with the mark before it. No piece holds the mark but at its start, so that words can be cut apart. */
const WORD = /▁[^▁]*/g;

/** Most words of most questions are the same few thousand. */
const WORDS_KEPT = 4000;

/**
 * Opens a tokenizer.json of the type Unigram: a text becomes the pieces of the highest sum of scores (Kudo, arXiv:1804.10959), after
 * NFKC, with a mark for each space. @huggingface/tokenizers keeps 37 MB for the same 64,000 pieces, and takes 125 µs a question
 * (here 4 MB, 10 µs); test/retrieval/wordpiece.test.ts compares the two.
 * @param {Uint8Array} file
 * @returns {(text: string) => number[]} ids of a text's pieces
 * @throws Error for a file that is none
 */
export function openUnigram(file) {
  const { model } = JSON.parse(new TextDecoder().decode(file));
  if (model?.type !== 'Unigram') throw new Error('no tokenizer of the type Unigram');
  /** @type {{ vocab: [piece: string, score: number][], unk_id: number }} */
  const { vocab, unk_id: unknown } = model;
  const ids = new Map(vocab.map(([piece], id) => [piece, id]));
  const scores = Float64Array.from(vocab, ([, score]) => score);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), 0) - 10;
  const longest = vocab.reduce((most, [piece]) => Math.max(most, piece.length), 0);

  /** The best way to each place of the word: where its last piece starts, which piece that is, and the sum so far. @param {string} word */
  const cut = word => {
    /** @type {{ from: number, id: number, sum: number }[]} */
    const ways = [{ from: 0, id: unknown, sum: 0 }];
    for (let from = 0, size = 1; from < word.length; from += size) {
      size = (word.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
      for (let to = from + size; to <= Math.min(from + longest, word.length); to += 1) {
        const id = ids.get(word.slice(from, to)) ?? (to === from + size ? unknown : undefined);
        if (id === undefined) continue;
        const sum = (ways[from]?.sum ?? 0) + (scores[id] ?? 0);
        if (sum > (ways[to]?.sum ?? Number.NEGATIVE_INFINITY)) ways[to] = { from, id, sum };
      }
    }
    /** @type {number[]} */
    const found = [];
    for (let at = word.length; at > 0; at = ways[at]?.from ?? 0) found.push(ways[at]?.id ?? unknown);
    // Unknown characters beside each other are one piece.
    return found.reverse().filter((id, at) => id !== unknown || found[at - 1] !== unknown);
  };

  /** @type {Map<string, number[]>} */
  const known = new Map();
  return text => {
    const plain = text.normalize('NFKC').replace(/ {2,}/g, ' ').trimEnd().replaceAll(' ', SPACE);
    const words = (plain.startsWith(SPACE) ? plain : SPACE + plain).match(WORD) ?? [];
    return words.flatMap(word => {
      const kept = known.get(word) ?? cut(word);
      if (known.size === WORDS_KEPT) known.clear();
      known.set(word, kept);
      return kept;
    });
  };
}
