import { createHash } from 'node:crypto';
import type { Encoder, KeptVectors } from './encoder.ts';

export interface ReadingParts {
  /** Where the vectors of the texts outlive the process. */
  readonly kept?: KeptVectors | undefined;
  /** Told, in a sentence, what an operator should know. */
  readonly note?: ((message: string) => void) | undefined;
  /** Told after each text, kept ones too. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Kept together, so that a process that ends half-way has not worked for nothing. */
const SLICE = 200;

/**
 * The vectors of claims, in order. Only those that are not kept are computed.
 * @throws Error where the model fails
 */
export async function readClaims(
  encoder: Encoder,
  texts: readonly string[],
  options: ReadingParts,
): Promise<Float32Array[]> {
  const { kept, note, progress } = options;
  const missed = (error: Error) => {
    note?.(`the vectors of claims cannot be kept, each start computes them: ${error.message}`);
  };
  const keys = texts.map(text => createHash('sha256').update(`${encoder.digest}\n${text}`).digest('base64url'));
  const found = await kept?.find(keys).catch(missed);
  const vectors = new Map(found ?? []);
  const missing = [...new Map(texts.map((text, at) => [keys[at] ?? '', text]))].filter(([key]) => !vectors.has(key));
  let done = texts.length - missing.length;
  let keeping = kept;
  for (let start = 0; start < missing.length; start += SLICE) {
    const slice = missing.slice(start, start + SLICE);
    const read = await encoder.read(
      slice.map(([, text]) => text),
      'claim',
      () => {
        done += 1;
        progress?.(done, texts.length);
      },
    );
    const made = new Map(slice.map(([key], at) => [key, read[at] ?? new Float32Array()]));
    for (const [key, vector] of made) vectors.set(key, vector);
    await keeping?.keep(made).catch(error => {
      keeping = undefined;
      missed(error);
    });
  }
  return keys.map(key => vectors.get(key) ?? new Float32Array());
}
