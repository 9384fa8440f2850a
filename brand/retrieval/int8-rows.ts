/** Vectors as rows of small integers. A row means its numbers scaled to length 1. */
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
      // Measured when first asked for.
      if (lengths[row]! < 0) lengths[row] = lengthOf(values, row * dims, (row + 1) * dims);
      return lengths[row]!;
    },
  };
}

/** Rows that come one by one; a row's place is how many came before it. */
export function growingRows(dims: number): Int8Rows & { add(row: Int8Array): number } {
  let count = 0;
  let values = new Int8Array(FIRST_ROWS * dims);
  let lengths = new Float32Array(FIRST_ROWS);
  return {
    dims,
    get count() {
      return count;
    },
    get values() {
      return values;
    },
    length: row => lengths[row]!,
    add(row) {
      if (count === lengths.length) {
        const [narrow, few] = [values, lengths];
        values = new Int8Array(2 * narrow.length);
        values.set(narrow);
        lengths = new Float32Array(2 * few.length);
        lengths.set(few);
      }
      values.set(row, count * dims);
      lengths[count] = lengthOf(row);
      count += 1;
      return count - 1;
    },
  };
}

const FIRST_ROWS = 2048;

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

/** Cosines of a vector with the rows named by `which`, by default with every row; 0 where either is all zeros. */
export function cosines(vector: IntegerVector, rows: Int8Rows, which?: Uint32Array): Float32Array {
  const found = new Float32Array(which?.length ?? rows.count);
  const { values, dims } = rows;
  for (let at = 0; at < found.length; at += 1) {
    const row = which ? which[at]! : at;
    const sum = product(vector.values, values, row * dims);
    found[at] = sum === 0 ? 0 : sum / (vector.length * rows.length(row));
  }
  return found;
}

/**
 * Inner product of a vector and the row that starts at `start`. Four sums, since each addition waits for the one before it, and most
 * of a start and of a question in new words is spent here. Numbers past the end of a vector meet nothing, which is 0.
 */
function product(left: Int16Array, right: Int8Array, start: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < left.length; i += 4) {
    a = (a + Math.imul(left[i]!, right[start + i]!)) | 0;
    b = (b + Math.imul(left[i + 1]!, right[start + i + 1]!)) | 0;
    c = (c + Math.imul(left[i + 2]!, right[start + i + 2]!)) | 0;
    d = (d + Math.imul(left[i + 3]!, right[start + i + 3]!)) | 0;
  }
  return a + b + c + d;
}

function scaledTo(peak: number, vector: ArrayLike<number>): Float64Array {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) largest = Math.max(largest, Math.abs(vector[i]!));
  const scaled = new Float64Array(vector.length);
  for (let i = 0; largest > 0 && i < vector.length; i += 1)
    scaled[i] = Math.round((vector[i]! / largest) * peak);
  return scaled;
}

function lengthOf(values: Int8Array | Int16Array, start = 0, end = values.length): number {
  let squares = 0;
  for (let i = start; i < end; i += 1) squares += values[i]! * values[i]!;
  return Math.sqrt(squares);
}
