import * as z from 'zod';
import { type Int8Rows, int8Rows } from './int8-rows.ts';

const count = z.number().int().nonnegative();
const Entry = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });
/** What describes no tensor, such as `__metadata__`, is passed over. */
const Header = z.record(z.string(), Entry.optional().catch(undefined));

/**
 * The arrays of a safetensors file, by name: a header length (u64, little-endian), a JSON header, data (https://github.com/huggingface/safetensors#format).
 * @throws Error where there is no such header
 */
export function parseSafetensors(file: Buffer) {
  const start = 8 + Number(file.readBigUInt64LE());
  const header = Header.parse(JSON.parse(file.toString('utf8', 8, start)));
  const bytesOf = (name: string): Buffer => {
    const [from, to] = header[name]?.data_offsets ?? [0, 0];
    return file.subarray(start + from, start + to);
  };
  return {
    /** Rows of int8 numbers, read where they lie in the file. @throws Error that names the tensor */
    int8(name: string): Int8Rows {
      const { dtype, shape: [rows = 0, dims = 0, ...more] = [] } = header[name] ?? {};
      const bytes = bytesOf(name);
      if (dtype !== 'I8' || more.length > 0 || rows * dims === 0 || bytes.length !== rows * dims)
        throw new Error(`no tensor "${name}" of int8 [rows, dims]`);
      return int8Rows(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), dims);
    },
    /** As many float32 numbers. @throws Error that names the tensor */
    float32(name: string, length: number): Float32Array {
      const bytes = bytesOf(name);
      if (header[name]?.dtype !== 'F32' || bytes.length !== 4 * length)
        throw new Error(`no tensor "${name}" of float32 [${length}]`);
      return new Float32Array(new Uint8Array(bytes).buffer); // a copy: a tensor may start anywhere, floats must not
    },
  };
}
