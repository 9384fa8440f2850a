import { createHash } from 'node:crypto';

/** Where vectors of claims outlive the process. */
export interface KeptVectors {
  /** The vectors that are kept, by key. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

export interface ReadingOptions {
  readonly kept?: KeptVectors | undefined;
  /** Told, in a sentence, what an operator should know. */
  readonly note?: ((message: string) => void) | undefined;
  /** Told how many claims are done, kept ones too. */
  readonly progress?: ((done: number) => void) | undefined;
}

/** Kept together, so that a process that ends half-way has not worked for nothing. */
const SLICE = 64;

/** A key of the bytes that a vector follows from: texts, vectors, digests of models. */
export function keyOf(...parts: readonly (string | NodeJS.ArrayBufferView)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url');
}

/**
 * The vectors of keys, in their order.
 * @param make computes those that are not kept, by position, and tells each that is done
 * @throws whatever `make` throws
 */
export async function keptOrMade(
  keys: readonly string[],
  make: (missing: readonly number[], done: () => void) => Promise<readonly Float32Array[]>,
  { kept, note = () => {}, progress = () => {} }: ReadingOptions,
): Promise<Float32Array[]> {
  let keeping = kept;
  const giveUp = (error: Error) => {
    keeping = undefined;
    note(`the vectors of claims cannot be kept, each start computes them: ${error.message}`);
  };
  const vectors = new Map((await kept?.find(keys).catch(giveUp)) ?? []);
  const missing = [...new Map(keys.map((key, at) => [key, at]))].flatMap(([key, at]) =>
    vectors.has(key) ? [] : [at],
  );
  let done = keys.length - missing.length;
  for (let start = 0; start < missing.length; start += SLICE) {
    const slice = missing.slice(start, start + SLICE);
    const made = await make(slice, () => progress(++done));
    const fresh = new Map(slice.map((at, nth) => [keys[at]!, made[nth]!]));
    for (const [key, vector] of fresh) vectors.set(key, vector);
    await keeping?.keep(fresh).catch(giveUp);
  }
  return keys.map(key => vectors.get(key)!);
}
