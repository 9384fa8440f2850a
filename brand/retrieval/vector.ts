/** Inner product of two vectors of one length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
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
