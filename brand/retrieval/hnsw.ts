import { dot } from '../embedding/vector.ts';
import { indicesOfLargest } from './largest.ts';

/** Finds the vectors nearest to a query. */
export interface VectorIndex {
  /** `hnsw`: approximate, logarithmic; `exact`: every vector compared. */
  readonly kind: 'hnsw' | 'exact';
  /**
   * Indices of the `k` vectors of largest inner product, nearest first; all of them where there are fewer.
   * @throws TypeError for anything but a Float32Array, RangeError for a wrong length, a number that is not finite, or a `k` that is no count.
   */
  search(vector: Float32Array, k: number): number[];
}

export interface VectorIndexOptions {
  /** Told once, in a sentence, when exact search has to stand in. */
  readonly note?: (message: string) => void;
  /** Imports the native package; tests pass one that fails. */
  readonly load?: () => Promise<Native>;
}

/** Links per vector and width of the search that sets them (Malkov and Yashunin, arXiv:1603.09320, section 4.1); the seed makes builds repeatable. */
const BUILD = { m: 16, efConstruction: 200, randomSeed: 100 };

/** Width of a search. Of the ten nearest among 10,000 claims 64 finds .963, 128 .993, 256 .998 (test/retrieval.test.ts holds it to .99). */
const EF = 256;

/**
 * An index over unit vectors by hnswlib-node, or exact search where that optional package cannot be loaded (it compiles at install).
 * hnswlib-node aborts the whole process on a value that is no number: nothing unchecked may reach it.
 * @throws TypeError or RangeError as `search` does.
 */
export async function createVectorIndex(
  vectors: readonly Float32Array[],
  { note = () => {}, load = importNative }: VectorIndexOptions = {},
): Promise<VectorIndex> {
  const dims = vectors[0]?.length ?? 0;
  for (const vector of vectors) checkVector(vector, dims);
  const native = await load().catch((error: unknown) => {
    note(`vector index: hnswlib-node cannot be loaded, exact search answers instead (${firstLine(error)})`);
  });
  const nearest = native && vectors.length > 0 ? buildGraph(native, vectors) : exactly(vectors);
  return {
    kind: native ? 'hnsw' : 'exact',
    search(vector, k) {
      if (!Number.isInteger(k) || k < 0) throw new RangeError(`k must be a count, not ${k}`);
      if (vectors.length > 0) checkVector(vector, dims);
      const count = Math.min(k, vectors.length);
      return count === 0 ? [] : nearest(vector, count);
    },
  };
}

/** Compares every vector: the measure of the index's recall, and its stand-in. Nearest first, ties by index. */
export function exactSearch(vectors: readonly Float32Array[], vector: Float32Array, k: number): number[] {
  const similarities = Float64Array.from(vectors, candidate => dot(vector, candidate));
  return indicesOfLargest(similarities, k);
}

type Native = Awaited<ReturnType<typeof importNative>>;

function importNative() {
  return import('hnswlib-node');
}

type Nearest = (vector: Float32Array, count: number) => number[];

function exactly(vectors: readonly Float32Array[]): Nearest {
  return (vector, count) => exactSearch(vectors, vector, count);
}

function buildGraph({ default: hnswlib }: Native, vectors: readonly Float32Array[]): Nearest {
  const graph = new hnswlib.HierarchicalNSW('ip', vectors[0]!.length);
  graph.initIndex({ maxElements: vectors.length, ...BUILD });
  graph.setEf(EF);
  // Typed arrays are refused by hnswlib-node 3.0.0, hence the copies.
  vectors.forEach((vector, index) => {
    graph.addPoint(Array.from(vector), index);
  });
  return (vector, count) => graph.searchKnn(Array.from(vector), count).neighbors;
}

function checkVector(vector: unknown, dims: number): void {
  if (!(vector instanceof Float32Array)) throw new TypeError('a vector must be a Float32Array');
  if (vector.length !== dims) throw new RangeError(`a vector must have ${dims} numbers, not ${vector.length}`);
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector must hold finite numbers only');
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;
}
