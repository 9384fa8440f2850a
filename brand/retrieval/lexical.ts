import { setImmediate as turn } from 'node:timers/promises';
import { foldedText } from '../profile/folded-text.ts';
import type { Parameters as ModelParameters } from './parameters.ts';

type Parameters = ModelParameters['bm25'];

/**
 * BM25 over character n-grams of folded words: names, figures and typos that a vector blurs.
 * What a gram adds to a text never changes, so it is computed here once; a question costs only the postings of its own grams.
 * BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with Lucene's idf, which is never negative.
 */
export async function createLexicalIndex(texts: readonly string[], parameters: Parameters) {
  const { n, k1, b, scale } = parameters;
  const postings = new Map<number, Posting>();
  const grams: (readonly number[])[] = [];
  for (const text of texts) {
    grams.push(gramsOf(text, n));
    await turn();
  }
  const meanSize = grams.reduce((sum, { length }) => sum + length, 0) / texts.length;
  for (const [text, own] of grams.entries()) {
    const saturation = k1 * (1 - b + (b * own.length) / meanSize);
    for (const [gram, frequency] of countOf(own)) {
      const posting = postings.get(gram) ?? { texts: [], gains: [], idf: 0 };
      if (posting.texts.length === 0) postings.set(gram, posting);
      posting.texts.push(text);
      posting.gains.push((frequency * (k1 + 1)) / (frequency + saturation));
    }
    await turn();
  }
  const idfOf = (textsWithGram: number) =>
    Math.log(1 + (texts.length - textsWithGram + 0.5) / (textsWithGram + 0.5));
  for (const posting of postings.values()) posting.idf = idfOf(posting.texts.length);
  const unknown: Posting = { texts: [], gains: [], idf: idfOf(0) };
  return {
    /** Whether some text shares a gram with the word. */
    occurs: (word: string): boolean => gramsOf(word, n).some(gram => postings.has(gram)),
    /** One score per text, 0 where no gram is shared, seldom above 1. */
    search(query: string): Float64Array {
      const scores = new Float64Array(texts.length);
      let best = 1e-9;
      for (const gram of new Set(gramsOf(query, n))) {
        const { texts: found, gains, idf } = postings.get(gram) ?? unknown;
        best += idf * scale;
        for (let i = 0; i < found.length; i += 1) scores[found[i]!]! += idf * gains[i]!;
      }
      for (let text = 0; text < scores.length; text += 1) scores[text]! /= best;
      return scores;
    },
  };
}

/** The texts that have a gram, what it adds to each, and how rare it is. */
interface Posting {
  readonly texts: number[];
  readonly gains: number[];
  idf: number;
}

/** Every gram of the text, repeated ones too; a word keeps a space on both sides, a shorter one is a gram of its own. */
function gramsOf(text: string, n: number): number[] {
  const grams: number[] = [];
  for (const word of wordsIn(text)) {
    const spaced = ` ${word} `;
    const last = Math.max(0, spaced.length - n);
    for (let at = 0; at <= last; at += 1) grams.push(gramAt(spaced, at, n));
  }
  return grams;
}

/** Up to ten of 37 characters as digits of one number: a string would have to be cut out and hashed. */
function gramAt(text: string, start: number, n: number): number {
  let gram = 0;
  for (let at = start; at < start + n && at < text.length; at += 1)
    gram = gram * 38 + digitOf(text.charCodeAt(at));
  return gram;
}

/** 1 to 26 for a to z, 27 to 36 for 0 to 9, 37 for the space; none is 0, so a shorter gram is another number. */
function digitOf(unit: number): number {
  if (unit >= 97) return unit - 96;
  return unit === 32 ? 37 : unit - 21;
}

/** The words of a text in a-z and 0-9. */
function wordsIn(text: string): string[] {
  return foldedText(text).match(/[a-z0-9]+/g) ?? [];
}

function countOf(grams: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}
