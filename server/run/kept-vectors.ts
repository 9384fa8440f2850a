import { createHash } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { VectorStore, VectorsByKey } from '../../brand/retrieval/claim-vectors.ts';
import { makePrivateDirectory } from '../config/private-files.ts';

/** The file in DATA_DIR: one line of JSON, then the numbers of every vector. */
const FILE = 'claim-vectors.bin';

/** The first line of the file. */
const Header = z.object({
  dimensions: z.number().int().positive(),
  keys: z.array(z.string()),
  /** Of the numbers: a damaged file must not give wrong answers. */
  sha256: z.string(),
});

interface FileOptions {
  /** Whether this process writes the file. Commands that only ask read it. */
  readonly writes: boolean;
  /** Is told, in a sentence, why the file cannot be used. */
  readonly note: (message: string) => void;
}

/** Keeps the claims' vectors in one file of DATA_DIR, so that a restart or a reload reads only new claims. */
export function createKeptVectors(dataDirectory: string, { writes, note }: FileOptions): VectorStore {
  const file = join(dataDirectory, FILE);
  const read = async (): Promise<VectorsByKey> => {
    const bytes = await readFile(file).catch(() => undefined);
    if (!bytes) return new Map();
    const vectors = decode(bytes);
    if (!vectors) note(`${file} is damaged: all claims are read again`);
    return vectors ?? new Map();
  };
  if (!writes) return { read };
  return {
    read,
    async write(vectors) {
      try {
        await makePrivateDirectory(dataDirectory);
        await replaceFile(file, encode(vectors));
      } catch (error) {
        note(`${file} cannot be written, each start reads all claims: ${messageOf(error)}`);
      }
    },
  };
}

/** Writes the whole file beside its place, then renames it: nobody reads half a file. */
async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    await handle.writeFile(bytes).finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function encode(vectors: VectorsByKey): Buffer {
  const numbers = Buffer.concat(Array.from(vectors.values(), bytesOf));
  const [first] = vectors.values();
  const header = { dimensions: first?.length ?? 1, keys: [...vectors.keys()], sha256: digestOf(numbers) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), numbers]);
}

/** Returns undefined for a file that is not whole. */
function decode(bytes: Buffer): VectorsByKey | undefined {
  const end = bytes.indexOf('\n');
  const { data: header } = Header.safeParse(jsonOf(bytes.subarray(0, Math.max(end, 0))));
  if (!header) return undefined;
  const { dimensions, keys, sha256 } = header;
  // A copy: a Float32Array begins at a multiple of four bytes.
  const numbers = new Uint8Array(bytes.subarray(end + 1));
  if (numbers.length !== 4 * dimensions * keys.length || digestOf(numbers) !== sha256) return undefined;
  const values = new Float32Array(numbers.buffer);
  return new Map(
    keys.map((key, index) => [key, values.subarray(index * dimensions, (index + 1) * dimensions)]),
  );
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');
