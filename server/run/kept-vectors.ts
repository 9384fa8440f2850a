import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { VectorStore, VectorsByKey } from '../../brand/retrieval/claim-vectors.ts';
import { writePrivateFile } from '../config/private-files.ts';

/** The file in DATA_DIR: a digest, then the vectors by key, as V8 writes a Map. */
const FILE = 'claim-vectors.bin';

/** Bytes of SHA-256. */
const DIGEST_BYTES = 32;

interface FileOptions {
  /** Whether this process writes the file. Commands that only ask read it. */
  readonly writes: boolean;
  /** Receives a sentence that says why the file cannot be used. */
  readonly note: (message: string) => void;
}

/**
 * Keeps the claims' vectors in one file of DATA_DIR, so that a restart or a reload reads only new claims.
 * @example const kept = createKeptVectors('.aval', { writes: true, note: process.emitWarning });
 */
export function createKeptVectors(dataDirectory: string, { writes, note }: FileOptions): VectorStore {
  const file = join(dataDirectory, FILE);
  const read = async (): Promise<VectorsByKey> => {
    const bytes = await readFile(file).catch(() => undefined);
    if (!bytes) return new Map();
    try {
      return decode(bytes);
    } catch {
      note(`${file} is damaged: all claims are read again`);
      return new Map();
    }
  };
  if (!writes) return { read };
  return {
    read,
    async write(vectors) {
      try {
        await writePrivateFile(file, encode(vectors));
      } catch (error) {
        note(`${file} cannot be written, each start reads all claims: ${messageOf(error)}`);
      }
    },
  };
}

function encode(vectors: VectorsByKey): Buffer {
  const bytes = serialize(vectors);
  return Buffer.concat([digestOf(bytes), bytes]);
}

/** Reads the vectors of a file. @throws Error for a damaged file, which would give wrong answers */
function decode(file: Buffer): VectorsByKey {
  const bytes = file.subarray(DIGEST_BYTES);
  if (!digestOf(bytes).equals(file.subarray(0, DIGEST_BYTES))) throw new Error('the digest is another');
  return deserialize(bytes);
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
