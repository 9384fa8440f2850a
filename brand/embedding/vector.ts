import type { TokenTable } from './embedder.ts';

/**
 * Dot product of `vector` with as many numbers of `matrix` from `offset` on.
 * Four sums at once: with a single one every addition waits for the one before (half the speed, measured).
 */
export function dot(vector: Float32Array, matrix: Float32Array, offset = 0): number {
  const whole = vector.length & ~3;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < whole; i += 4) {
    const at = offset + i;
    a += vector[i]! * matrix[at]!;
    b += vector[i + 1]! * matrix[at + 1]!;
    c += vector[i + 2]! * matrix[at + 2]!;
    d += vector[i + 3]! * matrix[at + 3]!;
  }
  for (let i = whole; i < vector.length; i += 1) a += vector[i]! * matrix[offset + i]!;
  return a + b + (c + d);
}

/**
 * Dot products of `vector` with every row of `matrix` (rows of the vector's length, one after the other).
 * Four rows at a time, so that each number of the vector is read once for four products: 1.6 times the speed of `dot`, measured.
 */
export function dotRows(vector: Float32Array, matrix: Float32Array): Float32Array {
  const dims = vector.length;
  const products = new Float32Array(dims === 0 ? 0 : matrix.length / dims);
  const whole = dims % 2 === 0 ? products.length & ~3 : 0;
  for (let row = 0; row < whole; row += 4) {
    const atA = row * dims;
    const atB = atA + dims;
    const atC = atB + dims;
    const atD = atC + dims;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < dims; i += 2) {
      const x = vector[i]!;
      const y = vector[i + 1]!;
      a += x * matrix[atA + i]! + y * matrix[atA + i + 1]!;
      b += x * matrix[atB + i]! + y * matrix[atB + i + 1]!;
      c += x * matrix[atC + i]! + y * matrix[atC + i + 1]!;
      d += x * matrix[atD + i]! + y * matrix[atD + i + 1]!;
    }
    products[row] = a;
    products[row + 1] = b;
    products[row + 2] = c;
    products[row + 3] = d;
  }
  for (let row = whole; row < products.length; row += 1) products[row] = dot(vector, matrix, row * dims);
  return products;
}

/** Euclidean norm. */
export function norm(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}

/** The vector scaled to length 1; zeros stay zeros. */
export function unit(vector: Float32Array): Float32Array {
  const length = norm(vector);
  return length === 0 ? vector.slice() : vector.map(value => value / length);
}

/** The sum of the tokens' rows: the text's vector before it is scaled to length 1; zeros without tokens. */
export function sumRows(table: TokenTable, tokens: readonly number[], dims: number): Float32Array {
  const sum = new Float32Array(dims);
  for (const token of tokens) {
    const row = table.row(token);
    for (let i = 0; i < dims; i += 1) sum[i]! += row[i]!;
  }
  return sum;
}

/** Vectors of one length, one after the other. */
export function stack(vectors: readonly Float32Array[], dims: number): Float32Array {
  const matrix = new Float32Array(vectors.length * dims);
  vectors.forEach((vector, index) => {
    matrix.set(vector, index * dims);
  });
  return matrix;
}
