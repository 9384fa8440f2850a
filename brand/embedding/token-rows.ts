import type { Tensor } from './safetensors.ts';
import { norm } from './vector.ts';

/** The embedding table of a Model2Vec model: the row of a token is its weight times its stored numbers. */
export interface TokenRows {
  readonly size: number;
  readonly dims: number;
  row(token: number): Float32Array;
  /** Euclidean norm of the row; 0 for a token outside the table and for a row that is not finite: such tokens say nothing. */
  norm(token: number): number;
}

/** The table as stored; float16 as its bit patterns, since Node 20 has no Float16Array. */
type Stored = Int8Array | Uint16Array | Float32Array;

/**
 * Reads `embeddings` [size, dims] as int8, float16 or float32, and `weights` [size] as float32 where there are any.
 * The table stays as stored: 12.6 MB of int8 would be 50 MB as float32.
 * @throws Error that names the tensor at fault.
 */
export function readTokenRows(tensors: ReadonlyMap<string, Tensor>): TokenRows {
  if (tensors.has('mapping')) throw new Error('"mapping" (tokens that share rows) is not supported');
  const table = tensors.get('embeddings');
  if (!table) throw new Error('no tensor "embeddings"');
  const [size = 0, dims = 0, ...more] = table.shape;
  if (size * dims === 0 || more.length > 0) {
    throw new Error(`"embeddings" has shape [${table.shape}], expected [rows, dims]`);
  }
  const decode = createDecode(readStored(table, size * dims), dims);
  const weights = readWeights(tensors.get('weights'), size);
  const row = (token: number): Float32Array => {
    const values = decode(token);
    const weight = weights[token]!;
    for (let i = 0; i < dims; i += 1) values[i]! *= weight;
    return values;
  };
  return { size, dims, row, norm: createNorm(row, size) };
}

function readStored({ dtype, bytes }: Tensor, length: number): Stored {
  if (dtype === 'I8') return sized(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), length, 'embeddings');
  if (dtype === 'F16') return sized(new Uint16Array(aligned(bytes)), length, 'embeddings');
  if (dtype === 'F32') return sized(new Float32Array(aligned(bytes)), length, 'embeddings');
  throw new Error(`"embeddings" has dtype ${dtype}, supported are I8, F16 and F32`);
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

function sized<T extends Stored>(numbers: T, length: number, name: string): T {
  if (numbers.length !== length) throw new Error(`"${name}" holds ${numbers.length} numbers, expected ${length}`);
  return numbers;
}

/** A token's stored numbers as floats, without its weight. */
function createDecode(stored: Stored, dims: number): (token: number) => Float32Array {
  const numbersOf = (token: number) => stored.subarray(token * dims, (token + 1) * dims);
  if (!(stored instanceof Uint16Array)) return token => new Float32Array(numbersOf(token));
  const values = float16Values();
  return token => Float32Array.from(numbersOf(token), bits => values[bits]!);
}

/** What each of the 65,536 bit patterns means (IEEE 754 binary16). */
function float16Values(): Float32Array {
  return Float32Array.from({ length: 0x10000 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

/** Measured when first asked for: the whole table would add a quarter to the time of loading. */
function createNorm(row: TokenRows['row'], size: number): TokenRows['norm'] {
  const norms = new Float32Array(size).fill(-1);
  return token => {
    const known = norms[token] ?? 0;
    if (known >= 0) return known;
    const measured = norm(row(token));
    norms[token] = Number.isFinite(measured) ? measured : 0;
    return norms[token];
  };
}
