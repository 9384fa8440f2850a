/** Inner product of two vectors of one length. Two sums, since each addition waits for the one before it. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [even, odd] = [0, 0];
  const pairs = a.length - (a.length % 2);
  for (let i = 0; i < pairs; i += 2) {
    even += a[i]! * b[i]!;
    odd += a[i + 1]! * b[i + 1]!;
  }
  return even + odd + (pairs < a.length ? a[pairs]! * b[pairs]! : 0);
}

/** Euclidean norm. */
export function norm(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}

/** The vector scaled to length 1; zeros stay zeros. */
export function unit(vector: Float32Array): Float32Array {
  const length = norm(vector);
  const scaled = vector.slice();
  for (let i = 0; length > 0 && i < scaled.length; i += 1) scaled[i]! /= length;
  return scaled;
}

/** The sum of vectors times their weights. */
export function blend(
  parts: readonly (readonly [weight: number, vector: ArrayLike<number>])[],
  dims: number,
): Float32Array {
  const sum = new Float32Array(dims);
  for (const [weight, vector] of parts) {
    for (let i = 0; i < dims; i += 1) sum[i]! += weight * vector[i]!;
  }
  return sum;
}
