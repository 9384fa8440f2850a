import { ALL_TEXTS } from './columns.ts';
import { createVectorIndex, largest, type VectorIndexOptions } from './vector-index.ts';

/** The texts to score for a question, in the order of the texts, so that equal scores keep it. */
export type Candidates = (vector: () => Float32Array, lexical: Float64Array) => readonly number[];

/** Of the vector index, and as many of the lexical index. */
const NEAREST = 64;

/** All texts while there are at most `ALL_TEXTS`; beyond, those nearest by vector and those best by words. */
export async function createCandidates(
  vectors: readonly Float32Array[],
  options: VectorIndexOptions,
): Promise<Candidates> {
  const every = vectors.map((_, index) => index);
  if (vectors.length <= ALL_TEXTS) return () => every;
  const index = await createVectorIndex(vectors, options);
  return (vector, lexical) => {
    const near = index.search(vector(), NEAREST);
    const worded = largest(lexical, NEAREST).filter(at => lexical[at]! > 0);
    return [...new Set([...near, ...worded])].sort((a, b) => a - b);
  };
}
