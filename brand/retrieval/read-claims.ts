import { createHash } from 'node:crypto';
import type { Encoder } from './encoder.ts';

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
  /** Told how many claims are read, kept ones too. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Kept together, so that a process that ends half-way has not worked for nothing. */
const SLICE = 64;

/**
 * The vectors of claims, in order. Only those that are not kept are computed.
 * @throws Error where the model fails
 */
export async function readClaims(
  encoder: Encoder,
  texts: readonly string[],
  { kept, note = () => {}, progress = () => {} }: ReadingOptions,
): Promise<Float32Array[]> {
  let keeping = kept;
  const giveUp = (error: Error) => {
    keeping = undefined;
    note(`the vectors of claims cannot be kept, each start computes them: ${error.message}`);
  };
  const keys = texts.map(text => createHash('sha256').update(`${encoder.digest}\n${text}`).digest('base64url'));
  const found = await kept?.find(keys).catch(giveUp);
  const vectors = new Map(found ?? []);
  const missing = [...new Map(texts.map((text, at) => [keys[at]!, text]))].filter(([key]) => !vectors.has(key));
  let done = texts.length - missing.length;
  for (let start = 0; start < missing.length; start += SLICE) {
    const made = new Map<string, Float32Array>();
    const readOne = async ([key, text]: readonly [string, string]) => {
      made.set(key, await encoder.read(text));
      done += 1;
      progress(done, texts.length);
    };
    await Promise.all(missing.slice(start, start + SLICE).map(readOne));
    for (const [key, vector] of made) vectors.set(key, vector);
    await keeping?.keep(made).catch(giveUp);
  }
  return keys.map(key => vectors.get(key)!);
}
