/** Vectors as rows of small integers, read where they lie in a file. A row means its numbers scaled to length 1. */
export interface Int8Rows {
  readonly count: number;
  readonly dims: number;
  /** [count, dims], one row after the other. */
  readonly values: Int8Array;
  /** Euclidean length of a row as it stands. */
  length(row: number): number;
}

/** A vector as integers, to be compared with rows: sums of integer products are exact and twice as fast as those of floats. */
export interface IntegerVector {
  readonly values: Int16Array;
  readonly length: number;
}

export function int8Rows(values: Int8Array, dims: number): Int8Rows {
  const count = values.length / dims;
  const lengths = new Float32Array(count).fill(-1);
  return {
    count,
    dims,
    values,
    length(row) {
      // Measured when first asked for: all 49,131 rows of the bundled table would be a tenth of a start.
      if (lengths[row]! < 0) lengths[row] = lengthOf(values.subarray(row * dims, (row + 1) * dims));
      return lengths[row]!;
    },
  };
}

/** Vectors of one length, each scaled to fill eight bits: a cosine is off by a thousandth at most. */
export function quantise(vectors: readonly ArrayLike<number>[], dims: number): Int8Rows {
  const values = new Int8Array(vectors.length * dims);
  vectors.forEach((vector, at) => {
    values.set(scaledTo(127, vector), at * dims);
  });
  return int8Rows(values, dims);
}

/** A vector with 16 bits a number, fewer where sums of products with int8 would pass 32 bits. */
export function integerVector(vector: ArrayLike<number>): IntegerVector {
  const peak = Math.min(32_767, Math.floor(2 ** 31 / (128 * Math.max(vector.length, 1))));
  const values = Int16Array.from(scaledTo(peak, vector));
  return { values, length: lengthOf(values) };
}

export function rowVector({ values, dims, length }: Int8Rows, row: number): IntegerVector {
  return { values: Int16Array.from(values.subarray(row * dims, (row + 1) * dims)), length: length(row) };
}

/**
 * Cosines of a vector with the rows named by `which`, by default with every row; 0 where either is all zeros. Four rows at a time, so that
 * each number of the vector is read once for four products: 1.5 times as fast (measured), and a question in new words is little else.
 */
export function cosines(vector: IntegerVector, rows: Int8Rows, which?: Uint32Array): Float32Array {
  const { values: left, length } = vector;
  const { values: right, dims } = rows;
  const found = new Float32Array(which?.length ?? rows.count);
  const last = found.length - 1;
  const rowAt = (at: number) => (which ? which[Math.min(at, last)]! : Math.min(at, last));
  for (let at = 0; at <= last; at += 4) {
    const [a, b, c, d] = [rowAt(at) * dims, rowAt(at + 1) * dims, rowAt(at + 2) * dims, rowAt(at + 3) * dims];
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
    for (let i = 0; i < dims; i += 1) {
      const value = left[i]!;
      sumA = (sumA + Math.imul(value, right[a + i]!)) | 0;
      sumB = (sumB + Math.imul(value, right[b + i]!)) | 0;
      sumC = (sumC + Math.imul(value, right[c + i]!)) | 0;
      sumD = (sumD + Math.imul(value, right[d + i]!)) | 0;
    }
    found.set([sumA, sumB, sumC, sumD].slice(0, last - at + 1), at);
  }
  for (let at = 0; at <= last; at += 1)
    found[at] = found[at] === 0 ? 0 : found[at]! / (length * rows.length(rowAt(at)));
  return found;
}

function scaledTo(peak: number, vector: ArrayLike<number>): number[] {
  const largest = Array.from(vector).reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return Array.from(vector, value => (largest === 0 ? 0 : Math.round((value / largest) * peak)));
}

function lengthOf(values: Int8Array | Int16Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return Math.sqrt(squares);
}
