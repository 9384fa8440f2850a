import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';
import { type Int8Rows, int8Rows } from './int8-rows.ts';

const count = z.number().int().nonnegative();
const Entry = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });
/** What describes no tensor, such as `__metadata__`, is passed over. */
const Header = z.record(z.string(), Entry.optional().catch(undefined));

/**
 * The arrays of a safetensors file, by name: a header length (u64, little-endian), a JSON header, data (https://github.com/huggingface/safetensors#format).
 * The file stays open until `close`.
 * @throws Error where it cannot be read or has no such header
 */
export function openSafetensors(path: string) {
  const file = open(path);
  const { size } = fstatSync(file);
  const bytesAt = (start: number, length: number): Buffer => {
    if (start + length > size) throw new Error('is shorter than it says');
    const bytes = Buffer.alloc(length);
    if (readSync(file, bytes, 0, length, start) < length) throw new Error('could not be read whole');
    return bytes;
  };
  const start = 8 + Number(bytesAt(0, 8).readBigUInt64LE());
  const header = Header.parse(JSON.parse(bytesAt(8, start - 8).toString('utf8')));
  /** Where the numbers of a tensor lie; undefined where the file has none of this type and as many bytes. */
  const find = (name: string, dtype: string, bytesOf: (shape: readonly number[]) => number) => {
    const { dtype: own, shape = [], data_offsets: [from, to] = [0, 0] } = header[name] ?? {};
    const isThere = own === dtype && to > from && start + to <= size && to - from === bytesOf(shape);
    return isThere ? { at: start + from, bytes: to - from, shape } : undefined;
  };
  /** Rows of int8 numbers, each read when it is asked for. @throws Error that names the tensor */
  const rows = (name: string) => {
    const found = find(name, 'I8', ([count = 0, dims = 0, ...more]) => (more.length > 0 ? 0 : count * dims));
    if (!found) throw new Error(`no tensor "${name}" of int8 [rows, dims]`);
    const [count = 0, dims = 0] = found.shape;
    const read = (row: number, many = 1) => new Int8Array(bytesAt(found.at + row * dims, many * dims).buffer);
    return { count, dims, read };
  };
  return {
    rows,
    /** Rows of int8 numbers, all of them. @throws Error that names the tensor */
    int8(name: string): Int8Rows {
      const { count, dims, read } = rows(name);
      return int8Rows(read(0, count), dims);
    },
    /** As many float32 numbers. @throws Error that names the tensor */
    float32(name: string, length: number): Float32Array {
      const found = find(name, 'F32', () => 4 * length);
      if (!found) throw new Error(`no tensor "${name}" of float32 [${length}]`);
      return new Float32Array(bytesAt(found.at, found.bytes).buffer);
    },
    close: () => closeSync(file),
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new Error(`cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
