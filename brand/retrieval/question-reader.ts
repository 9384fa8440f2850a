import { createColumns, type TokenTexts } from './columns.ts';
import type { TokenTable } from './embedder.ts';
import { cosines, integerVector } from './int8-rows.ts';
import { bestCosines, gatherTokens, saturated } from './late-interaction.ts';
import { mapInPieces, type Pace } from './pacer.ts';
import type { RetrievalModel } from './retrieval-model.ts';
import { dot, norm, unit } from './vector.ts';
import { largest } from './vector-index.ts';

/** What the model makes of a question. */
export interface Reading {
  /** ln(1 + number of tokens). */
  readonly length: number;
  /** Mean of its largest cosines with the background texts. */
  readonly level: number;
  /** Unit vector; zeros where no word is known. */
  vector(): Float32Array;
  /** Its scores with the texts of these indices. */
  meet(texts: readonly number[]): Promise<Meeting>;
}

/** One number a text. */
export interface Meeting {
  /** The product of the two vectors. */
  readonly meaning: ArrayLike<number>;
  /** Late interaction, 0..1. */
  readonly late: ArrayLike<number>;
}

export interface Reader {
  /** @param asker names the client: of two that ask at once, whoever's work was less so far comes first */
  read(query: string, asker?: string): Promise<Reading>;
}

/** Different tokens of a question that count, the heaviest: more than people ask with, and each may cost a new column. */
const MAX_TOKENS = 64;

/** Punctuation has meaning to a model too: alone it would find the claims that hold the same mark. */
const WORD = /[\p{L}\p{N}]/u;

/** Reads questions against texts by their tokens: a question is the sum of its tokens' columns. */
export function createTokenReader(
  texts: TokenTexts,
  model: RetrievalModel,
  startPace: (asker?: string) => Pace,
): Reader {
  const { table } = texts;
  const columns = createColumns(texts, model);
  const { calibration } = model.parameters;
  const { epsilon } = model.parameters.late;
  return {
    async read(query, asker) {
      const pace = startPace(asker);
      const tokens = WORD.test(query) ? heaviest(table.tokenize(query), table) : [];
      const asked = await mapInPieces(tokens, columns.of, pace);
      const { weight, late, meaning, row, background } = columns.sum(asked);
      const scale = norm(row) || 1;
      return {
        length: Math.log(1 + tokens.length),
        level: meanOfLargest(background, calibration.backgroundTop) / scale,
        vector: () => unit(row),
        async meet(indices) {
          if (late.length > 0)
            return {
              meaning: indices.map(index => meaning[index]! / scale),
              late: indices.map(index => late[index]! / (weight || 1)),
            };
          // The same for texts that no column covers.
          const candidates = gatherTokens(indices.map(index => texts.tokens[index]!));
          const compared = new Float32Array(indices.length);
          for (const { token, weight: own } of asked) {
            const best = bestCosines(table, token, candidates);
            for (let i = 0; i < compared.length; i += 1) compared[i]! += (own / weight) * saturated(best[i]!, epsilon);
            await pace();
          }
          const vector = unit(row);
          return { meaning: indices.map(index => dot(vector, texts.vectors[index]!)), late: compared };
        },
      };
    },
  };
}

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: number[], table: TokenTable): number[] {
  if (tokens.length <= MAX_TOKENS) return tokens;
  const different = [...new Set(tokens)];
  const norms = different.map(token => table.norm(token));
  const kept = new Set(largest(norms, MAX_TOKENS).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}

/** Reads by vectors alone, `late` being 0: a transformer has no token rows. */
export function createVectorReader(
  vectors: readonly Float32Array[],
  { embedder, background, parameters }: RetrievalModel,
): Reader {
  return {
    async read(query) {
      const [vector = new Float32Array(embedder.dims)] = WORD.test(query) ? await embedder.embed([query], 'query') : [];
      const near = cosines(integerVector(vector), background);
      return {
        length: Math.log(1 + (query.match(/[\p{L}\p{N}]+/gu) ?? []).length),
        level: meanOfLargest(near, parameters.calibration.backgroundTop),
        vector: () => vector,
        meet: async indices => ({
          meaning: indices.map(index => dot(vector, vectors[index]!)),
          late: new Float32Array(indices.length),
        }),
      };
    },
  };
}

function meanOfLargest(values: Float32Array, count: number): number {
  const places = largest(values, count);
  return places.reduce((sum, index) => sum + values[index]!, 0) / Math.max(places.length, 1);
}
