import { LRUCache } from 'lru-cache';
import type { TokenTable } from './embedder.ts';
import { cosines, rowVector } from './int8-rows.ts';
import { bestCosines, gatherTokens, saturated, tokenWeight } from './late-interaction.ts';
import type { RetrievalModel } from './retrieval-model.ts';
import { dot } from './vector.ts';

/** Texts as their tokens, and the vectors that a question's is multiplied with. */
export interface TokenTexts {
  readonly table: TokenTable;
  readonly tokens: readonly (readonly number[])[];
  readonly vectors: readonly Float32Array[];
}

/** What a token of the vocabulary adds to every score: it never changes. */
export interface Column {
  readonly token: number;
  readonly weight: number;
  /** The parts of `Sums` one after the other. */
  readonly values: Float32Array;
}

/** What the tokens of a question add up to. */
export interface Sums {
  readonly weight: number;
  /** Weight × saturated cosine with each text, and product with its vector; both empty where there are more than `ALL_TEXTS`. */
  readonly late: Float32Array;
  readonly meaning: Float32Array;
  readonly row: Float32Array;
  /** Product with each background text. */
  readonly background: Float32Array;
}

export interface Columns {
  of(token: number): Column;
  sum(columns: readonly Column[]): Sums;
}

/** Up to here every text has its place in the columns; beyond, a question is compared with its candidates. */
export const ALL_TEXTS = 512;

/** Texts, evenly spaced, whose cosines tell how rare a token is. */
const SAMPLE = 512;

/** About 5,600 tokens for a profile of 24 claims. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Book-keeping of an entry beside its numbers, roughly. */
const ENTRY_BYTES = 250;

/** Columns are computed when first asked for, and kept while the cache has room. */
export function createColumns(
  { table, tokens, vectors }: TokenTexts,
  { parameters, background }: RetrievalModel,
): Columns {
  const covered = vectors.length > ALL_TEXTS ? 0 : vectors.length;
  const rowAt = 2 * covered;
  const backgroundAt = rowAt + table.rows.dims;
  const width = backgroundAt + background.count;
  const nothing = new Float32Array(width);
  const sample = gatherTokens(evenly(tokens, SAMPLE));

  const compute = (token: number): Column => {
    const values = new Float32Array(width);
    const best = bestCosines(table, token, sample);
    const weight = tokenWeight(table.norm(token), best, vectors.length, parameters.late);
    const row = table.sum([token]);
    for (let text = 0; text < covered; text += 1) {
      values[text] = weight * saturated(best[text]!, parameters.late.epsilon);
      values[covered + text] = dot(row, vectors[text]!);
    }
    values.set(row, rowAt);
    const near = cosines(rowVector(table.rows, token), background);
    values.set(
      near.map(cosine => table.norm(token) * cosine),
      backgroundAt,
    );
    return { token, weight, values };
  };
  const known = new LRUCache<number, Column>({
    maxSize: CACHE_BYTES,
    sizeCalculation: () => width * 4 + ENTRY_BYTES,
  });
  return {
    of(token) {
      let column = known.get(token);
      if (!column) {
        column = compute(token);
        known.set(token, column);
      }
      return column;
    },
    sum(columns) {
      const sums = new Float32Array(width);
      for (let at = 0; at < columns.length; at += 2) add(sums, columns[at]!.values, columns[at + 1]?.values ?? nothing);
      return {
        weight: columns.reduce((sum, { weight }) => sum + weight, 0),
        late: sums.subarray(0, covered),
        meaning: sums.subarray(covered, rowAt),
        row: sums.subarray(rowAt, backgroundAt),
        background: sums.subarray(backgroundAt),
      };
    },
  };
}

/** Two at a time: a third less than one by one (measured), since every sum is read and written half as often. */
function add(sums: Float32Array, one: Float32Array, other: Float32Array): void {
  for (let i = 0; i < sums.length; i += 1) sums[i]! += one[i]! + other[i]!;
}

function evenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(most, items.length) }, (_, at) => items[Math.floor(at * step)]!);
}
