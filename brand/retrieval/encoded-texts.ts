import { type ReadingParts, readClaims } from './read-claims.ts';
import type { EncoderPart } from './retrieval-model.ts';
import { dot } from './vector.ts';

export interface EncodedOptions extends Omit<ReadingParts, 'progress'> {
  /** Told now and then how far each step is, where there are many texts. */
  readonly progress?: ((step: string, done: number, of: number) => void) | undefined;
}

/** Texts as the encoder reads them. */
export interface EncodedTexts {
  readonly vectors: readonly Float32Array[];
  /** @throws EncoderBusy */
  ask(question: string, asker: string): Promise<EncodedQuestion>;
}

interface EncodedQuestion {
  vector(): Float32Array;
  /** Cosine with the text of an index. */
  cosine(text: number): number;
}

/** Reading so many texts takes a few seconds. */
const SHOWN_FROM = 200;

/** @throws Error where the model fails */
export async function encodeTexts(
  { encoder }: EncoderPart,
  texts: readonly string[],
  { kept, note, progress }: EncodedOptions,
): Promise<EncodedTexts> {
  const show = texts.length < SHOWN_FROM ? undefined : (done: number, of: number) => progress?.('reading', done, of);
  const vectors = await readClaims(encoder, texts, { kept, note, progress: show });
  return {
    vectors,
    async ask(question, asker) {
      const vector = question.trim() === '' ? undefined : await encoder.ask(question, asker);
      return {
        vector: () => vector ?? new Float32Array(vectors[0]?.length ?? 0),
        cosine: text => (vector ? dot(vector, vectors[text]!) : 0),
      };
    },
  };
}
