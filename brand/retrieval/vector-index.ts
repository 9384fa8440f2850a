import { setImmediate as nextTurn } from 'node:timers/promises';

/** The index of a vector, with its inner product with the question. */
export interface Scored {
  readonly index: number;
  readonly score: number;
}

/** Finds the vectors with the largest inner product. */
interface VectorIndex {
  /**
   * The `count` nearest vectors, best first, ties by index.
   * @throws RangeError for a vector of another length, or with a number that is not finite
   */
  nearest(vector: Float32Array, count: number): Scored[];
}

/** The part of hnswlib-node that is used. The package is optional, and so are its types. */
interface Native {
  readonly default: { readonly HierarchicalNSW: new (space: 'ip', dimensions: number) => Graph };
}

interface Graph {
  initIndex(options: { maxElements: number; m: number; efConstruction: number; randomSeed: number }): void;
  setEf(ef: number): void;
  addPoint(vector: number[], index: number): void;
  searchKnn(vector: number[], count: number): { neighbors: number[] };
}

/**
 * Links of a vector and width of the search that sets them (Malkov and Yashunin, arXiv:1603.09320, section
 * 4.1).
 */
const BUILD = { m: 16, efConstruction: 200, randomSeed: 100 };

/** Width of a search, well above the 64 nearest that are asked for. */
const SEARCH_WIDTH = 256;

/** Typed as string: for a literal the compiler would look for the package. */
const PACKAGE: string = 'hnswlib-node';

/**
 * Indexes vectors with hnswlib-node, or compares every vector where that optional package cannot be loaded:
 * it compiles at install. Both give the same scores, since those are computed here.
 * @param note receives a sentence if the package cannot be loaded
 * @throws RangeError as `nearest` does, because hnswlib-node aborts the process on a value that is no number
 * @example const index = await createVectorIndex(vectors);
 */
export async function createVectorIndex(
  vectors: readonly Float32Array[],
  note: (message: string) => void = () => {},
  load: () => Promise<Native> = () => import(PACKAGE),
): Promise<VectorIndex> {
  const dimensions = vectors[0]?.length ?? 0;
  for (const vector of vectors) checkVector(vector, dimensions);
  const native = await load().catch((error: Error) => {
    note(`hnswlib-node cannot be loaded, exact search answers (${error.message.split('\n', 1)[0]})`);
  });
  const graph = native && vectors.length > 0 ? await buildGraph(native, vectors) : undefined;
  const places = [...vectors.keys()];
  return {
    nearest(vector, count) {
      checkVector(vector, dimensions);
      const wanted = Math.min(count, vectors.length);
      const candidates = graph ? graph.searchKnn(Array.from(vector), wanted).neighbors : places;
      const scored = candidates.map(index => ({ index, score: innerProduct(vectors[index]!, vector) }));
      scored.sort((a, b) => b.score - a.score || a.index - b.index);
      return scored.slice(0, wanted);
    },
  };
}

/**
 * Builds the graph. hnswlib-node 3.0.0 refuses typed arrays, so vectors are copied. Requests run between two
 * vectors, because a reload builds a graph too.
 */
async function buildGraph({ default: hnswlib }: Native, vectors: readonly Float32Array[]): Promise<Graph> {
  const graph = new hnswlib.HierarchicalNSW('ip', vectors[0]!.length);
  graph.initIndex({ maxElements: vectors.length, ...BUILD });
  graph.setEf(SEARCH_WIDTH);
  for (const [index, vector] of vectors.entries()) {
    graph.addPoint(Array.from(vector), index);
    await nextTurn();
  }
  return graph;
}

/** The inner product. Two sums are faster than one, because each addition waits for the one before. */
export function innerProduct(a: Float32Array, b: Float32Array): number {
  let even = 0;
  let odd = 0;
  for (let place = 0; place + 1 < a.length; place += 2) {
    even += a[place]! * b[place]!;
    odd += a[place + 1]! * b[place + 1]!;
  }
  if (a.length % 2 === 1) even += a[a.length - 1]! * b[a.length - 1]!;
  return even + odd;
}

function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new RangeError(`a vector must have ${dimensions} numbers, not ${vector.length}`);
  if (!vector.every(Number.isFinite)) throw new RangeError('a vector must hold finite numbers only');
}
