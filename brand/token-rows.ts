import type { Tensor } from './safetensors.ts';

/** The embedding table of a Model2Vec model: row of a token = its weight x its stored numbers. */
export interface TokenRows {
  readonly size: number;
  readonly dims: number;
  row(token: number): Float32Array;
  norm(token: number): number;
}

type Numbers = Int8Array | Uint16Array | Float32Array;

/**
 * Reads `embeddings` [size, dims] as int8, float16 or float32, and `weights` [size] as float32 where there are any.
 * The table stays as stored: 12.6 MB of int8 would be 50 MB as float32.
 * @throws Error that names the tensor at fault.
 */
export function readTokenRows(tensors: ReadonlyMap<string, Tensor>): TokenRows {
  const table = tensors.get('embeddings');
  if (!table) throw new Error('no tensor "embeddings"');
  const [size = 0, dims = 0, ...more] = table.shape;
  if (size * dims === 0 || more.length > 0)
    throw new Error(`"embeddings" has shape [${table.shape}], expected [rows, dims]`);
  if (tensors.has('mapping')) throw new Error('"mapping" (tokens that share rows) is not supported');
  const numbers = readTable(table, size * dims);
  const decode = table.dtype === 'F16' ? float16Values() : undefined;
  const weights = readWeights(tensors.get('weights'), size);
  const row = (token: number): Float32Array => {
    const weight = weights[token]!;
    const values = new Float32Array(dims);
    const start = token * dims;
    for (let i = 0; i < dims; i += 1) {
      const stored = numbers[start + i]!;
      values[i] = weight * (decode ? decode[stored]! : stored);
    }
    return values;
  };
  const norms = measureNorms({ size, dims, numbers, decode, weights });
  return { size, dims, row, norm: token => norms[token] ?? 0 };
}

function readTable({ dtype, bytes }: Tensor, length: number): Numbers {
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

/** A copy: typed arrays of 2 and 4 bytes must start at a multiple of their size, a tensor may start anywhere. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy.buffer;
}

function sized<T extends Numbers>(numbers: T, length: number, name: string): T {
  if (numbers.length !== length) throw new Error(`"${name}" holds ${numbers.length} numbers, expected ${length}`);
  return numbers;
}

/** What each of the 65,536 half-precision bit patterns means (IEEE 754 binary16); Node 20 has no Float16Array. */
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

interface Table {
  readonly size: number;
  readonly dims: number;
  readonly numbers: Numbers;
  readonly decode: Float32Array | undefined;
  readonly weights: Float32Array;
}

function measureNorms({ size, dims, numbers, decode, weights }: Table): Float32Array {
  const norms = new Float32Array(size);
  for (let token = 0; token < size; token += 1) {
    let squares = 0;
    for (let at = token * dims; at < (token + 1) * dims; at += 1) {
      const value = decode ? decode[numbers[at]!]! : numbers[at]!;
      squares += value * value;
    }
    norms[token] = Math.abs(weights[token]!) * Math.sqrt(squares);
    if (!Number.isFinite(norms[token]))
      throw new Error(`row ${token} of "embeddings" holds a number that is not finite`);
  }
  return norms;
}
