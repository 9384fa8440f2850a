import type { Embedder, TokenTable } from '../embedding/embedder.ts';
import { dot, norm, sumRows, unit } from '../embedding/vector.ts';
import { indicesOfLargest } from './largest.ts';
import { createLateInteraction } from './late-interaction.ts';
import type { RetrievalModel } from './parameters.ts';

/** What the model makes of a question. */
export interface Reading {
  /** Unit vector; zeros where no word is known. */
  readonly vector: Float32Array;
  /** Late interaction with every text, 0..1. */
  readonly late: Float32Array;
  /** Mean of its largest cosines with the background texts. */
  readonly level: number;
}

export interface Reader {
  /** Unit vector of every text. */
  readonly vectors: readonly Float32Array[];
  read(query: string): Promise<Reading>;
  /** See LateInteraction; without token rows there is nothing to warm. */
  warm(limit: number): () => void;
}

export interface ReaderInput extends RetrievalModel {
  readonly texts: readonly string[];
  readonly embedder: Embedder;
}

/** Reads questions against texts and background: by tokens where the model has token rows, else by vectors alone, `late` being 0. */
export function createReader(input: ReaderInput): Promise<Reader> {
  const { tokens } = input.embedder;
  return tokens ? createTokenReader(input, tokens) : createVectorReader(input);
}

async function createTokenReader(input: ReaderInput, table: TokenTable): Promise<Reader> {
  const { texts, embedder, parameters } = input;
  const { dims } = embedder;
  const tokensOfTexts = texts.map(text => table.tokenize(text));
  const background = await embedder.embed(input.background);
  const lateInteraction = createLateInteraction({ table, dims, texts: tokensOfTexts, background });
  return {
    vectors: tokensOfTexts.map(tokens => unit(sumRows(table, tokens, dims))),
    warm: lateInteraction.warm,
    async read(query) {
      const tokens = WORD.test(query) ? table.tokenize(query) : [];
      const { late, background, rows } = await lateInteraction.sum(tokens);
      const product = meanOfLargest(background, parameters.calibration.backgroundTop);
      return { vector: unit(rows), late, level: tokens.length === 0 ? 0 : product / norm(rows) };
    },
  };
}

/** Punctuation has meaning to a model too: alone it would find the claims that hold the same mark. */
const WORD = /[\p{L}\p{N}]/u;

async function createVectorReader({ texts, embedder, background, parameters }: ReaderInput): Promise<Reader> {
  const vectors = await embedder.embed(texts);
  const backgroundVectors = await embedder.embed(background);
  const late = new Float32Array(texts.length);
  return {
    vectors,
    warm: () => () => {},
    async read(query) {
      const [vector = new Float32Array(embedder.dims)] = WORD.test(query) ? await embedder.embed([query], 'query') : [];
      const cosines = Float32Array.from(backgroundVectors, other => dot(vector, other));
      return { vector, late, level: meanOfLargest(cosines, parameters.calibration.backgroundTop) };
    },
  };
}

function meanOfLargest(values: Float32Array, count: number): number {
  const largest = indicesOfLargest(values, count);
  return largest.reduce((sum, index) => sum + values[index]!, 0) / Math.max(largest.length, 1);
}
