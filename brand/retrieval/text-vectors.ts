import { setImmediate as turn } from 'node:timers/promises';
import type { TokenTable } from './embedder.ts';
import { expand } from './expansion.ts';
import type { ReadingOptions } from './kept-vectors.ts';
import type { RetrievalModel } from './model.ts';
import { createVectorReader } from './reader.ts';
import type { SearchText } from './search-text.ts';
import { createTokenReader } from './token-reader.ts';
import { blend, unit } from './vector.ts';

interface TextInput extends RetrievalModel, Omit<ReadingOptions, 'progress'> {
  readonly texts: readonly SearchText[];
}

/** Texts as the embedder reads them: dense and expansion vector of each, weighed and added, so that one product is both scores. */
export async function readTexts(input: TextInput, progress: (done: number) => void) {
  const { embedder, parameters } = input;
  const { tokens: table, dims } = embedder;
  const texts = input.texts.map(({ text }) => text);
  const tokens = table ? await tokenize(texts, table) : [];
  const dense = table ? tokens.map(ids => unit(table.sum(ids))) : await embedder.embed(texts);
  const heads = input.texts.map(({ head }) => head);
  const { vectors: expansions, gate } = await expand(heads, dense, input, { ...input, progress });
  const weights = parameters.weights;
  const denseWeight = table ? weights.dense : weights.dense + weights.late;
  const vectors = dense.map((vector, at) => {
    const both = [[denseWeight, vector] as const, [weights.expansion, expansions[at]!] as const];
    return blend(both, dims);
  });
  const read = table
    ? createTokenReader({ table, texts: partsOf(input.texts, tokens, table), vectors }, input)
    : createVectorReader(vectors, input);
  return { vectors, gate, read };
}

async function tokenize(texts: readonly string[], table: TokenTable): Promise<number[][]> {
  const tokens: number[][] = [];
  for (const text of texts) {
    tokens.push(table.tokenize(text));
    await turn();
  }
  return tokens;
}

/** The tokens of each text: those of what it says, and those of what it excludes, which stand at its end. */
function partsOf(texts: readonly SearchText[], tokens: readonly (readonly number[])[], table: TokenTable) {
  return texts.map(({ excluded = '' }, at) => {
    const own = tokens[at]!;
    const end = own.length - table.tokenize(excluded).length;
    return [own.slice(0, end), own.slice(end)] as const;
  });
}
