import type { RetrievalModel, RetrievalParameters } from '../../embedding/retrieval-model.ts';
import { blend, unit } from '../../embedding/vector.ts';
import { expand, type Leanings } from './expansion.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import { createTokenReader, createVectorReader, type Reader } from './question-reader.ts';
import type { SearchText } from './search-text.ts';

/** Texts as the embedder reads them. */
export interface Meanings {
  /** Dense and expansion vector of each text, weighed and added: the product with a question's vector is the sum of both scores. */
  readonly vectors: readonly Float32Array[];
  readonly reader: Reader;
  /** How far the bank has a say, 0..1. */
  readonly gate: number;
}

interface Paces {
  readonly startPace: () => Pace;
  /** Of the longest step. */
  readonly expanding: Pace;
}

/** @throws whatever the embedder throws on a text */
export async function readMeanings(
  input: RetrievalModel & { readonly texts: readonly SearchText[]; readonly known?: Leanings },
  weights: RetrievalParameters['weights'],
  { startPace, expanding }: Paces,
): Promise<Meanings> {
  const { embedder } = input;
  const { tokens: table, dims } = embedder;
  const texts = input.texts.map(({ text }) => text);
  const tokens = await mapInPieces(table ? texts : [], text => table?.tokenize(text) ?? [], startPace());
  const dense = table
    ? await mapInPieces(tokens, ids => unit(table.sum(ids)), startPace())
    : await embedder.embed(texts);
  const heads = input.texts.map(({ head }) => head);
  const { vectors: expansions, gate } = await expand(heads, dense, input, expanding);
  const merge = (vector: Float32Array, at: number) => {
    const parts = [[weights.dense, vector] as const, [weights.expansion, expansions[at]!] as const];
    return blend(parts, dims);
  };
  const vectors = await mapInPieces(dense, merge, startPace());
  const reader = table
    ? createTokenReader({ table, tokens, vectors }, input, startPace)
    : createVectorReader(vectors, input);
  return { vectors, reader, gate };
}

/** Without token rows the meaning is in the vector alone. */
export function weightsOf({ embedder, parameters: { weights } }: RetrievalModel): RetrievalParameters['weights'] {
  return embedder.tokens ? weights : { ...weights, dense: weights.dense + weights.late, late: 0 };
}
