import * as z from 'zod';

/** One array of a safetensors file: its type as the file names it (`I8`, `F16`, `F32`…), its shape, its little-endian bytes. */
export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

const count = z.number().int().nonnegative();
const Entry = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });
const Header = z.record(z.string(), z.unknown());

/** Larger headers are refused by the reference implementation too. */
const MAX_HEADER_BYTES = 100_000_000;

/**
 * The tensors of a safetensors file by name; their bytes are views into `file`, not copies.
 * Format: header length (u64, little-endian), JSON header, data (https://github.com/huggingface/safetensors#format).
 * @throws Error that names the part at fault.
 */
export function parseSafetensors(file: Uint8Array): ReadonlyMap<string, Tensor> {
  const { header, data } = split(file);
  const named = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return new Map(named.map(([name, entry]) => [name, readTensor(name, entry, data)]));
}

function split(file: Uint8Array): { header: Record<string, unknown>; data: Uint8Array } {
  if (file.length < 8) throw new Error('bad header: shorter than 8 bytes');
  const length = new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true);
  if (length > MAX_HEADER_BYTES || length > file.length - 8) throw new Error('bad header: longer than the file');
  const end = 8 + Number(length);
  return { header: readHeader(file.subarray(8, end)), data: file.subarray(end) };
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
