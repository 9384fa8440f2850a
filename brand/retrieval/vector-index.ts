import { setImmediate as turn } from 'node:timers/promises';
import { dot } from './vector.ts';

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
  /** Compare every vector: for texts that change between questions, since a graph is built in a tenth of a second for 1,000. */
  readonly exact?: boolean | undefined;
  /** Told once, in a sentence, when exact search has to stand in. */
  readonly note?: ((message: string) => void) | undefined;
  /** Imports the native package; tests pass one that fails. */
  readonly load?: () => Promise<Native>;
}

/** What is used of hnswlib-node; its own types are there only where the optional package is installed. */
export interface Native {
  readonly default: { readonly HierarchicalNSW: new (space: 'ip', dims: number) => Graph };
}

interface Graph {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void;
  setEf(ef: number): void;
  addPoint(vector: number[], index: number): void;
  searchKnn(vector: number[], count: number): { neighbors: number[] };
}

/** Links per vector and width of the search that sets them (Malkov and Yashunin, arXiv:1603.09320, section 4.1); the seed makes builds repeatable. */
const BUILD = { m: 16, efConstruction: 200, randomSeed: 100 };

/** Width of a search. Of the ten nearest among 10,000 claims 64 finds .963, 128 .993, 256 .998 (test/retrieval/retrieval.test.ts holds it to .99). */
const EF = 256;

/**
 * An index by inner product on hnswlib-node, or exact search where that optional package cannot be loaded (it compiles at install).
 * hnswlib-node aborts the whole process on a value that is no number: nothing unchecked may reach it.
 * @throws TypeError or RangeError as `search` does.
 */
export async function createVectorIndex(
  vectors: readonly Float32Array[],
  options: VectorIndexOptions = {},
): Promise<VectorIndex> {
  const { note = () => {}, load = importNative, exact = false } = options;
  const dims = vectors[0]?.length ?? 0;
  for (const vector of vectors) checkVector(vector, dims);
  const native = exact
    ? undefined
    : await load().catch((error: Error) => {
        note(
          `vector index: hnswlib-node cannot be loaded, exact search answers instead (${error.message.split('\n', 1)[0]})`,
        );
      });
  const graph = native && vectors.length > 0 ? await buildGraph(native, vectors) : undefined;
  return {
    kind: native ? 'hnsw' : 'exact',
    search(vector, k) {
      if (!Number.isInteger(k) || k < 0) throw new RangeError(`k must be a count, not ${k}`);
      if (vectors.length > 0) checkVector(vector, dims);
      if (!graph) return exactSearch(vectors, vector, k);
      return graph.searchKnn(Array.from(vector), Math.min(k, vectors.length)).neighbors;
    },
  };
}

async function importNative(): Promise<Native> {
  const name: string = 'hnswlib-node'; // not a literal: the compiler would look for it
  return import(name);
}

/** Typed arrays are refused by hnswlib-node 3.0.0, hence the copies. */
async function buildGraph({ default: hnswlib }: Native, vectors: readonly Float32Array[]): Promise<Graph> {
  const graph = new hnswlib.HierarchicalNSW('ip', vectors[0]!.length);
  graph.initIndex({ maxElements: vectors.length, ...BUILD });
  graph.setEf(EF);
  for (const [index, vector] of vectors.entries()) {
    graph.addPoint(Array.from(vector), index);
    await turn();
  }
  return graph;
}

/** Compares every vector: the measure of the index's recall, and its stand-in. Nearest first, ties by index. */
export function exactSearch(vectors: readonly Float32Array[], vector: Float32Array, k: number): number[] {
  return largest(
    Float64Array.from(vectors, candidate => dot(vector, candidate)),
    k,
  );
}

/** Indices of the `count` largest values, largest first, ties by index. One pass: most values cost one comparison. */
export function largest(values: ArrayLike<number>, count: number): number[] {
  const best: number[] = [];
  if (count === 0) return best;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (best.length === count && !(value > values[best[count - 1]!]!)) continue;
    let place = best.length === count ? count - 1 : best.length;
    for (; place > 0 && value > values[best[place - 1]!]!; place -= 1) best[place] = best[place - 1]!;
    best[place] = index;
  }
  return best;
}

function checkVector(vector: unknown, dims: number): void {
  if (!(vector instanceof Float32Array)) throw new TypeError('a vector must be a Float32Array');
  if (vector.length !== dims)
    throw new RangeError(`a vector must have ${dims} numbers, not ${vector.length}`);
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector must hold finite numbers only');
}
