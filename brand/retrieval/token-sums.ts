import type { TokenTable } from './embedder.ts';
import { cosines, rowVector } from './int8-rows.ts';
import type { RetrievalModel } from './model.ts';
import type { Parameters } from './parameters.ts';
import { bestCosines, countTexts, gatherTokens } from './text-tokens.ts';
import { dot } from './vector.ts';

/** Up to here every text is scored, and what a token adds to each is kept; beyond, a question is compared with candidates. */
export const ALL_TEXTS = 512;

/** Numbers kept of tokens: some 2,000 tokens of a profile of 500 claims, 5,000 of a small one. */
const KEPT_NUMBERS = 4_000_000;

/** What a question is compared with. */
export interface TokenTexts {
  readonly table: TokenTable;
  /** The tokens of each text: first those of what it says, then those of what it excludes. */
  readonly texts: readonly (readonly [said: readonly number[], excluded: readonly number[]])[];
  /** The vector of each text. */
  readonly vectors: readonly Float32Array[];
}

/** What a token of the vocabulary adds to the sums of a question: it never changes. */
export interface Column {
  readonly token: number;
  readonly weight: number;
  /** The parts of `Sums`, one after the other. */
  readonly values: Float32Array;
}

/** What the tokens of a question add up to. The first three are empty beyond `ALL_TEXTS`. */
interface Sums {
  /** Weight × saturated cosine with each text. */
  readonly late: Float32Array;
  /** The same with what a text excludes, less that with the rest of it. */
  readonly lead: Float32Array;
  /** Inner product with the vector of each text. */
  readonly meaning: Float32Array;
  /** The sum of the tokens' rows: the vector of the question before it is scaled. */
  readonly row: Float32Array;
  /** Norm × cosine with each background text. */
  readonly near: Float32Array;
}

/** Adds up what the tokens of a question have in common with the texts. */
export function createTokenSums(
  { table, texts, vectors }: TokenTexts,
  { parameters, background }: Pick<RetrievalModel, 'parameters' | 'background'>,
) {
  const isSmall = texts.length <= ALL_TEXTS;
  const every = gatherTokens(isSmall ? texts.flat() : []);
  const frequencies = isSmall ? undefined : countTexts(texts.map(parts => parts.flat()));
  const covered = isSmall ? texts.length : 0;
  const rowAt = 3 * covered;
  const nearAt = rowAt + table.rows.dims;
  const width = nearAt + background.count;
  const nothing = new Float32Array(width);

  const makeColumn = (token: number): Column => {
    const [said, excluded] = alternating(bestCosines(table, token, every));
    const best = said.map((cosine, at) => Math.max(cosine, excluded[at]!));
    const frequency = frequencies ? (frequencies.get(token) ?? 0) : softFrequency(best, parameters.late);
    const norm = table.norm(token);
    const weight = norm * Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5));
    const row = table.sum([token]);
    const values = new Float32Array(width);
    for (let text = 0; text < covered; text += 1) {
      values[text] = weight * saturated(best[text]!, parameters.late);
      values[covered + text] = leadOf(weight, excluded[text]!, said[text]!, parameters.late);
      values[2 * covered + text] = dot(row, vectors[text]!);
    }
    values.set(row, rowAt);
    const near = cosines(rowVector(table.rows, token), background);
    for (let at = 0; at < near.length; at += 1) values[nearAt + at] = norm * near[at]!;
    return { token, weight, values };
  };
  const columns = new Map<number, Column>();
  const mostColumns = Math.ceil(KEPT_NUMBERS / width);
  return {
    columnOf(token: number): Column {
      const kept = columns.get(token);
      if (kept) return kept;
      const column = makeColumn(token);
      if (columns.size === mostColumns) columns.clear();
      columns.set(token, column);
      return column;
    },
    sumOf(asked: readonly Column[]): Sums {
      const sums = new Float32Array(width);
      // Four at a time: the sums are read and written a quarter as often.
      for (let at = 0; at < asked.length; at += 4) {
        add(
          sums,
          asked[at]!.values,
          asked[at + 1]?.values ?? nothing,
          asked[at + 2]?.values ?? nothing,
          asked[at + 3]?.values ?? nothing,
        );
      }
      return {
        late: sums.subarray(0, covered),
        lead: sums.subarray(covered, 2 * covered),
        meaning: sums.subarray(2 * covered, rowAt),
        row: sums.subarray(rowAt, nearAt),
        near: sums.subarray(nearAt),
      };
    },
  };
}

function add(sums: Float32Array, a: Float32Array, b: Float32Array, c: Float32Array, d: Float32Array): void {
  for (let at = 0; at < sums.length; at += 1) sums[at]! += a[at]! + b[at]! + (c[at]! + d[at]!);
}

/** Numbers at even and at odd places. */
function alternating(numbers: Float32Array): [even: Float32Array, odd: Float32Array] {
  return [numbers.filter((_, at) => at % 2 === 0), numbers.filter((_, at) => at % 2 === 1)];
}

/** In how many texts a token or one like it stands. */
function softFrequency(best: Float32Array, { from, to }: Parameters['late']): number {
  return best.reduce((sum, cosine) => sum + Math.min(Math.max((cosine - from) / (to - from), 0), 1), 0);
}

/** How much nearer a token is to what a text excludes than to what it says. */
export const leadOf = (weight: number, excluded: number, said: number, late: Parameters['late']): number =>
  weight * (saturated(excluded, late) - saturated(said, late));

/** A cosine of 0..1 as 0..1, the first steps counting most. */
export function saturated(cosine: number, { epsilon }: Parameters['late']): number {
  return Math.log(1 + cosine / epsilon) / Math.log(1 + 1 / epsilon);
}
