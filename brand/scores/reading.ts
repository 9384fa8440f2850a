import { LRUCache } from 'lru-cache';
import type { Embedder, TokenTable } from '../embedding/embedder.ts';
import { cosines, integerVector, rowVector } from '../embedding/int8-rows.ts';
import type { RetrievalModel } from '../embedding/retrieval-model.ts';
import { norm, unit } from '../embedding/vector.ts';
import { bestCosines, gatherTokens, saturated, tokenWeight } from './late-interaction.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import { largest } from './vector-index.ts';

/** What the model makes of a question. */
export interface Reading {
  /** Unit vector; zeros where no word is known. */
  readonly vector: Float32Array;
  /** ln(1 + number of tokens). */
  readonly length: number;
  /** Mean of its largest cosines with the background texts. */
  readonly level: number;
  /** Late interaction with the texts of these indices, each 0..1. */
  late(texts: readonly number[]): Promise<ArrayLike<number>>;
}

export interface Reader {
  /** Unit vector of every text. */
  readonly vectors: readonly Float32Array[];
  read(query: string): Promise<Reading>;
}

/** Up to here late interaction covers every text; beyond, the candidates of a question. */
export const ALL_TEXTS = 512;

/** Texts, evenly spaced, whose cosines tell how rare a token is. */
const SAMPLE = 512;

/** Different tokens of a question that count, the heaviest: more than people ask with, and each may cost a new column. */
const MAX_TOKENS = 64;

/** About 9,000 tokens for a profile of 24 claims; two tokens of an average example question are rarer than that. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Book-keeping of an entry beside its numbers, roughly. */
const ENTRY_BYTES = 200;

/** Punctuation has meaning to a model too: alone it would find the claims that hold the same mark. */
const WORD = /[\p{L}\p{N}]/u;

/**
 * Reads questions against texts by their tokens. What a token of the vocabulary is worth to each text and to the background never
 * changes: it is a column, computed when first asked for and kept while the cache has room. A question is the sum of its tokens' columns.
 */
export async function createTokenReader(
  texts: readonly string[],
  table: TokenTable,
  model: RetrievalModel,
  startPace: () => Pace,
): Promise<Reader> {
  const { parameters, background } = model;
  const { epsilon } = parameters.late;
  const tokensOf = await mapInPieces(texts, text => table.tokenize(text), startPace());
  const step = Math.max(1, texts.length / SAMPLE);
  const sample = gatherTokens(
    Array.from({ length: Math.min(SAMPLE, texts.length) }, (_, at) => tokensOf[Math.floor(at * step)]!),
  );
  const covered = texts.length > ALL_TEXTS ? 0 : texts.length;
  const width = covered + 1 + background.count;

  /** Weight × saturated cosine a text, where all are covered; the weight; norm × cosine a background text. */
  const computeColumn = (token: number): Float32Array => {
    const best = bestCosines(table, token, sample);
    const weight = tokenWeight(table.norm(token), best, texts.length, parameters.late);
    const column = new Float32Array(width);
    for (let text = 0; text < covered; text += 1) column[text] = weight * saturated(best[text]!, epsilon);
    column[covered] = weight;
    const near = cosines(rowVector(table.rows, token), background);
    for (let at = 0; at < near.length; at += 1) column[covered + 1 + at] = table.norm(token) * near[at]!;
    return column;
  };
  const columns = new LRUCache<number, Float32Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: () => width * 4 + ENTRY_BYTES,
  });
  const columnOf = (token: number): Float32Array => {
    const known = columns.get(token);
    if (known) return known;
    const column = computeColumn(token);
    columns.set(token, column);
    return column;
  };

  return {
    vectors: await mapInPieces(tokensOf, tokens => unit(table.sum(tokens)), startPace()),
    async read(query) {
      const pace = startPace();
      const tokens = WORD.test(query) ? heaviest(table.tokenize(query), table) : [];
      const asked = await mapInPieces(tokens, columnOf, pace);
      const sums = new Float32Array(width);
      for (const column of asked) for (let i = 0; i < width; i += 1) sums[i]! += column[i]!;
      const weights = Math.max(sums[covered]!, Number.MIN_VALUE);
      const sum = table.sum(tokens);
      const level = meanOfLargest(sums.subarray(covered + 1), parameters.calibration.backgroundTop);
      return {
        vector: unit(sum),
        length: Math.log(1 + tokens.length),
        level: tokens.length === 0 ? 0 : level / norm(sum),
        async late(indices) {
          if (covered > 0) return indices.map(index => sums[index]! / weights);
          const candidates = gatherTokens(indices.map(index => tokensOf[index]!));
          const late = new Float32Array(indices.length);
          for (const [at, token] of tokens.entries()) {
            const best = bestCosines(table, token, candidates);
            for (let i = 0; i < late.length; i += 1) {
              late[i]! += (asked[at]![0]! * saturated(best[i]!, epsilon)) / weights;
            }
            await pace();
          }
          return late;
        },
      };
    },
  };
}

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: number[], table: TokenTable): number[] {
  const different = [...new Set(tokens)];
  if (different.length <= MAX_TOKENS) return tokens;
  const norms = different.map(token => table.norm(token));
  const kept = new Set(largest(norms, MAX_TOKENS).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}

/** Reads by vectors alone, `late` being 0: a transformer has no token rows. */
export async function createVectorReader(
  texts: readonly string[],
  embedder: Embedder,
  model: RetrievalModel,
): Promise<Reader> {
  const { calibration } = model.parameters;
  return {
    vectors: await embedder.embed(texts),
    async read(query) {
      const [vector = new Float32Array(embedder.dims)] = WORD.test(query) ? await embedder.embed([query], 'query') : [];
      const near = cosines(integerVector(vector), model.background);
      return {
        vector,
        length: Math.log(1 + (query.match(/[\p{L}\p{N}]+/gu) ?? []).length),
        level: meanOfLargest(near, calibration.backgroundTop),
        late: async indices => new Float32Array(indices.length),
      };
    },
  };
}

function meanOfLargest(values: Float32Array, count: number): number {
  const places = largest(values, count);
  return places.reduce((sum, index) => sum + values[index]!, 0) / Math.max(places.length, 1);
}
