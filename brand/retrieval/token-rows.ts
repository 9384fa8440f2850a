import { type Int8Rows, int8Rows, quantise } from './int8-rows.ts';
import type { Tensor } from './safetensors.ts';

/** The embedding table of a Model2Vec model: the row of a token is its weight times its integers. */
export interface Table {
  readonly rows: Int8Rows;
  /** One a row; 0 for a row that is not finite: such tokens say nothing. */
  readonly weights: Float32Array;
}

/**
 * Reads `embeddings` [size, dims] as int8, float16 or float32, and `weights` [size] as float32 where there are any.
 * int8 stays where it lies in the file; floats become int8 with a weight a row, as Model2Vec's own quantisation makes them.
 * @throws Error that names the tensor at fault.
 */
export function readTable(tensors: ReadonlyMap<string, Tensor>): Table {
  if (tensors.has('mapping')) throw new Error('"mapping" (tokens that share rows) is not supported');
  const table = tensors.get('embeddings');
  if (!table) throw new Error('no tensor "embeddings"');
  const [size = 0, dims = 0, ...more] = table.shape;
  if (size * dims === 0 || more.length > 0) {
    throw new Error(`"embeddings" has shape [${table.shape}], expected [rows, dims]`);
  }
  const weights = readWeights(tensors.get('weights'), size);
  const { bytes, dtype } = table;
  if (dtype === 'I8') return { rows: int8Rows(sized(integers(bytes), size * dims, 'embeddings'), dims), weights };
  return quantised(sized(floatsOf(bytes, dtype), size * dims, 'embeddings'), dims, weights);
}

/** Rows of `dims` int8 numbers that lie in a tensor. @throws Error that names the tensor */
export function readInt8Rows(tensors: ReadonlyMap<string, Tensor>, name: string, dims: number): Int8Rows {
  const { dtype, shape, bytes } = tensors.get(name) ?? {};
  if (!bytes || dtype !== 'I8' || shape?.[1] !== dims) throw new Error(`no tensor "${name}" of int8 [rows, ${dims}]`);
  return int8Rows(integers(bytes), dims);
}

function integers(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Float16 as its bit patterns are read: Node 20 has no Float16Array. */
function floatsOf(bytes: Uint8Array, dtype: string): Float32Array {
  if (dtype === 'F32') return new Float32Array(aligned(bytes));
  if (dtype === 'F16') return Float32Array.from(new Uint16Array(aligned(bytes)), float16);
  throw new Error(`"embeddings" has dtype ${dtype}, supported are I8, F16 and F32`);
}

function quantised(floats: Float32Array, dims: number, weights: Float32Array): Table {
  const rowOf = (token: number) => floats.subarray(token * dims, (token + 1) * dims);
  const peaks = weights.map((_, token) => rowOf(token).reduce((peak, value) => Math.max(peak, Math.abs(value)), 0));
  const finite = peaks.map(peak => (Number.isFinite(peak) ? peak : 0));
  const nothing = new Float32Array(dims);
  const rows = quantise(
    Array.from(finite, (peak, token) => (peak > 0 ? rowOf(token) : nothing)),
    dims,
  );
  return { rows, weights: weights.map((weight, token) => (weight * finite[token]!) / 127) };
}

function readWeights(tensor: Tensor | undefined, size: number): Float32Array {
  if (!tensor) return new Float32Array(size).fill(1);
  if (tensor.dtype !== 'F32') throw new Error(`"weights" has dtype ${tensor.dtype}, supported is F32`);
  return sized(new Float32Array(aligned(tensor.bytes)), size, 'weights');
}

/** A copy: arrays of 2 and 4 bytes must start at a multiple of their size, a tensor may start anywhere. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function sized<T extends Int8Array | Float32Array>(numbers: T, length: number, name: string): T {
  if (numbers.length !== length) throw new Error(`"${name}" holds ${numbers.length} numbers, expected ${length}`);
  return numbers;
}

/** What a bit pattern means (IEEE 754 binary16). */
function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
