/** How BM25 weighs character n-grams; `scale` maps its best practical score to about 1. */
export interface LexicalParameters {
  /** Characters per gram. */
  readonly n: number;
  readonly k1: number;
  readonly b: number;
  readonly scale: number;
}

export interface LexicalIndex {
  /** One score per text, 0 where no gram is shared, seldom above 1. */
  search(query: string): Float64Array;
}

interface Posting {
  readonly text: number;
  readonly frequency: number;
}

/**
 * BM25 over character n-grams of folded words: names, figures and typos that a vector blurs.
 * What a gram adds to a text never changes, so it is computed here once; a question costs only the postings of its own grams.
 * BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with Lucene's idf, which is never negative.
 */
export function createLexicalIndex(texts: readonly string[], parameters: LexicalParameters): LexicalIndex {
  const { postings, sizes } = invert(texts, parameters.n);
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const grams = new Map(
    [...postings].map(([gram, list]) => {
      const idf = inverseFrequency(list.length, texts.length);
      return [gram, { idf, ...weigh(list, { idf, sizes, meanSize, parameters }) }];
    }),
  );
  const unknownIdf = inverseFrequency(0, texts.length);
  return {
    search(query) {
      const scores = new Float64Array(texts.length);
      let best = 1e-9;
      for (const gram of new Set(gramsOf(query, parameters.n))) {
        const known = grams.get(gram);
        best += (known?.idf ?? unknownIdf) * parameters.scale;
        if (!known) continue;
        for (let i = 0; i < known.texts.length; i += 1) scores[known.texts[i]!]! += known.gains[i]!;
      }
      return scores.map(score => score / best);
    },
  };
}

function invert(texts: readonly string[], n: number): { postings: Map<string, Posting[]>; sizes: number[] } {
  const postings = new Map<string, Posting[]>();
  const sizes = texts.map((value, text) => {
    const grams = gramsOf(value, n);
    for (const [gram, frequency] of countOf(grams)) {
      const list = postings.get(gram);
      if (list) list.push({ text, frequency });
      else postings.set(gram, [{ text, frequency }]);
    }
    return grams.length;
  });
  return { postings, sizes };
}

interface Weighing {
  readonly idf: number;
  readonly sizes: readonly number[];
  readonly meanSize: number;
  readonly parameters: LexicalParameters;
}

function weigh(list: readonly Posting[], { idf, sizes, meanSize, parameters: { k1, b } }: Weighing) {
  const gains = list.map(({ text, frequency }) => {
    const length = 1 - b + (b * sizes[text]!) / meanSize;
    return (idf * frequency * (k1 + 1)) / (frequency + k1 * length);
  });
  return { texts: Uint32Array.from(list, ({ text }) => text), gains: Float64Array.from(gains) };
}

function inverseFrequency(textsWithGram: number, texts: number): number {
  return Math.log(1 + (texts - textsWithGram + 0.5) / (textsWithGram + 0.5));
}

/** Every gram of the text, repeated ones too; a word keeps a space on both sides, a shorter one is a gram of its own. */
function gramsOf(text: string, n: number): string[] {
  const grams: string[] = [];
  for (const word of fold(text)) {
    const spaced = ` ${word} `;
    const last = Math.max(0, spaced.length - n);
    for (let at = 0; at <= last; at += 1) grams.push(spaced.slice(at, at + n));
  }
  return grams;
}

/** The words of a text in a-z and 0-9: lower case, compatibility forms taken apart, marks removed. */
function fold(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return plain.match(/[a-z0-9]+/g) ?? [];
}

function countOf(grams: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}
