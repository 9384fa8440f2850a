import type { TokenTable } from './embedder.ts';
import { expand } from './expansion.ts';
import { type KnownTexts, recalled } from './known-texts.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import { createTokenReader, createVectorReader, type Reader } from './question-reader.ts';
import type { RetrievalModel, RetrievalParameters } from './retrieval-model.ts';
import type { SearchText } from './search-text.ts';
import { blend, unit } from './vector.ts';

/** Texts as the embedder reads them. */
export interface Meanings {
  /** Dense and expansion vector of each text, weighed and added: the product with a question's vector is the sum of both scores. */
  readonly vectors: readonly Float32Array[];
  readonly reader: Reader;
  /** How far the bank has a say, 0..1. */
  readonly gate: number;
}

interface Paces {
  readonly startPace: (asker?: string) => Pace;
  /** Of the longest step. */
  readonly expanding: Pace;
}

/** @throws whatever the embedder throws on a text */
export async function readMeanings(
  input: RetrievalModel & { readonly texts: readonly SearchText[]; readonly known?: KnownTexts },
  weights: RetrievalParameters['weights'],
  { startPace, expanding }: Paces,
): Promise<Meanings> {
  const { embedder, known } = input;
  const { tokens: table, dims } = embedder;
  const texts = input.texts.map(({ text }) => text);
  const read = (of: TokenTable) => (text: string) =>
    recalled(known?.readings, text, () => {
      const tokens = of.tokenize(text);
      return { tokens, dense: unit(of.sum(tokens)) };
    });
  const readings = table ? await mapInPieces(texts, read(table), startPace()) : [];
  const dense = table ? readings.map(reading => reading.dense) : await embedder.embed(texts);
  const heads = input.texts.map(({ head }) => head);
  const { vectors: expansions, gate } = await expand(heads, dense, { ...input, known: known?.leanings }, expanding);
  const merge = (vector: Float32Array, at: number) => {
    const parts = [[weights.dense, vector] as const, [weights.expansion, expansions[at]!] as const];
    return blend(parts, dims);
  };
  const vectors = await mapInPieces(dense, merge, startPace());
  const reader = table
    ? createTokenReader({ table, tokens: readings.map(({ tokens }) => tokens), vectors }, input, startPace)
    : createVectorReader(vectors, input);
  return { vectors, reader, gate };
}

/** Without token rows the meaning is in the vector alone. */
export function weightsOf({ embedder, parameters: { weights } }: RetrievalModel): RetrievalParameters['weights'] {
  return embedder.tokens ? weights : { ...weights, dense: weights.dense + weights.late, late: 0 };
}
