import * as z from 'zod';
import { type Int8Rows, int8Rows } from './int8-rows.ts';

/** One array of a safetensors file: its type as the file names it (`I8`, `F32`…), its shape, its little-endian bytes. */
interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

type Tensors = ReadonlyMap<string, Tensor>;

const count = z.number().int().nonnegative();
const Entry = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });
const Header = z.record(z.string(), z.unknown());

/**
 * The tensors of a safetensors file by name; their bytes are views into `file`, not copies.
 * Format: header length (u64, little-endian), JSON header, data (https://github.com/huggingface/safetensors#format).
 * @throws Error that names the part at fault
 */
export function parseSafetensors(file: Uint8Array): Tensors {
  if (file.length < 8) throw new Error('bad header: shorter than 8 bytes');
  const length = new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true);
  if (length > file.length - 8) throw new Error('bad header: longer than the file');
  const end = 8 + Number(length);
  const data = file.subarray(end);
  const entries = Object.entries(readHeader(file.subarray(8, end))).filter(([name]) => name !== '__metadata__');
  return new Map(entries.map(([name, entry]) => [name, readTensor(name, entry, data)]));
}

function readHeader(bytes: Uint8Array): Record<string, unknown> {
  try {
    return Header.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new Error('bad header: not a JSON object', { cause });
  }
}

function readTensor(name: string, entry: unknown, data: Uint8Array): Tensor {
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) throw new Error(`bad header: "${name}" lacks dtype, shape or data_offsets`);
  const { dtype, shape, data_offsets } = parsed.data;
  const [start, end] = data_offsets;
  if (start > end || end > data.length) throw new Error(`bad header: "${name}" lies outside the file`);
  return { dtype, shape, bytes: data.subarray(start, end) };
}

/** Rows of int8 numbers, read where they lie in the file. @throws Error that names the tensor */
export function int8Tensor(tensors: Tensors, name: string): Int8Rows {
  const { dtype, shape: [rows = 0, dims = 0, ...more] = [], bytes } = tensors.get(name) ?? {};
  if (!bytes || dtype !== 'I8' || more.length > 0 || rows * dims === 0 || bytes.length !== rows * dims) {
    throw new Error(`no tensor "${name}" of int8 [rows, dims]`);
  }
  return int8Rows(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), dims);
}

/** As many float32 numbers. @throws Error that names the tensor */
export function floatTensor(tensors: Tensors, name: string, length: number): Float32Array {
  const { dtype, bytes } = tensors.get(name) ?? {};
  if (!bytes || dtype !== 'F32' || bytes.length !== 4 * length) {
    throw new Error(`no tensor "${name}" of float32 [${length}]`);
  }
  return new Float32Array(new Uint8Array(bytes).buffer); // a copy: a tensor may start anywhere, floats must not
}
