import { cosines, integerVector } from './int8-rows.ts';
import type { RetrievalModel } from './model.ts';
import { dot } from './vector.ts';
import { largest } from './vector-index.ts';

/** What the embedder makes of a question. */
export interface Reading {
  /** ln(1 + number of tokens). */
  readonly length: number;
  /** Mean of its largest cosines with the background texts. */
  readonly level: number;
  /** Unit vector; zeros where no word is known. */
  readonly vector: Float32Array;
  /** Inner products with the vectors of the texts of these indices. */
  meaning(texts: readonly number[]): Float32Array;
  /** Late interaction with the texts of these indices, 0..1; 0 where the model has no token rows. */
  late(texts: readonly number[]): Float32Array;
  /** Whether what a text excludes is nearer to the question than the rest of it. */
  isExcluded(text: number): boolean;
}

export type Reader = (query: string) => Promise<Reading>;

/** Punctuation has meaning to a model too: alone it would find the claims that hold the same mark. */
export const WORD = /[\p{L}\p{N}]/u;

/** Reads by vectors alone: a transformer has no token rows. */
export function createVectorReader(
  vectors: readonly Float32Array[],
  { embedder, background, parameters }: RetrievalModel,
): Reader {
  return async query => {
    const [vector = new Float32Array(embedder.dims)] = WORD.test(query)
      ? await embedder.embed([query], 'query')
      : [];
    return {
      length: Math.log(1 + (query.match(/[\p{L}\p{N}]+/gu) ?? []).length),
      level: meanOfLargest(cosines(integerVector(vector), background), parameters.calibration.backgroundTop),
      vector,
      meaning: indices => numbersOf(indices, index => dot(vector, vectors[index]!)),
      late: indices => new Float32Array(indices.length),
      isExcluded: () => false,
    };
  };
}

export function meanOfLargest(values: Float32Array, count: number): number {
  const places = largest(values, count);
  return places.reduce((sum, index) => sum + values[index]!, 0) / Math.max(places.length, 1);
}

/** Float32Array.from would take five times as long: it goes through an iterator. */
export function numbersOf(indices: readonly number[], numberOf: (index: number) => number): Float32Array {
  const numbers = new Float32Array(indices.length);
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = numberOf(indices[at]!);
  return numbers;
}
