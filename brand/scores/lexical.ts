import type { RetrievalParameters } from '../embedding/retrieval-model.ts';
import { mapInPieces, type Pace } from './pacer.ts';

export interface LexicalIndex {
  /** One score per text, 0 where no gram is shared, seldom above 1. */
  search(query: string): Float64Array;
  /** Whether some text shares a gram with the word. */
  occurs(word: string): boolean;
}

type Parameters = RetrievalParameters['bm25'];

/**
 * BM25 over character n-grams of folded words: names, figures and typos that a vector blurs.
 * What a gram adds to a text never changes, so it is computed here once; a question costs only the postings of its own grams.
 * BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with Lucene's idf, which is never negative.
 */
export async function createLexicalIndex(
  texts: readonly string[],
  parameters: Parameters,
  pace: Pace,
): Promise<LexicalIndex> {
  const { n, k1, b, scale } = parameters;
  const postings = new Map<string, { texts: number[]; gains: number[] }>();
  const sizes = await mapInPieces(texts, text => gramsOf(text, n).length, pace);
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const addText = (value: string, text: number): void => {
    const saturation = k1 * (1 - b + (b * sizes[text]!) / meanSize);
    for (const [gram, frequency] of countOf(gramsOf(value, n))) {
      const posting = postings.get(gram) ?? { texts: [], gains: [] };
      if (posting.texts.length === 0) postings.set(gram, posting);
      posting.texts.push(text);
      posting.gains.push((frequency * (k1 + 1)) / (frequency + saturation));
    }
  };
  await mapInPieces(texts, addText, pace);
  const idfOf = (textsWithGram: number) => Math.log(1 + (texts.length - textsWithGram + 0.5) / (textsWithGram + 0.5));
  return {
    occurs: word => gramsOf(word, n).some(gram => postings.has(gram)),
    search(query) {
      const scores = new Float64Array(texts.length);
      let best = 1e-9;
      for (const gram of new Set(gramsOf(query, n))) {
        const posting = postings.get(gram);
        const idf = idfOf(posting?.texts.length ?? 0);
        best += idf * scale;
        for (let i = 0; posting && i < posting.texts.length; i += 1)
          scores[posting.texts[i]!]! += idf * posting.gains[i]!;
      }
      return scores.map(score => score / best);
    },
  };
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
