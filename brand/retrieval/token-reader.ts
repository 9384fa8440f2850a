import type { TokenTable } from './embedder.ts';
import { cosines, rowVector } from './int8-rows.ts';
import type { RetrievalModel } from './model.ts';
import type { Parameters } from './parameters.ts';
import { meanOfLargest, numbersOf, type Reader, WORD } from './reader.ts';
import { bestCosines, countTexts, gatherTokens, type TextTokens } from './text-tokens.ts';
import { dot, norm, unit } from './vector.ts';
import { largest } from './vector-index.ts';

/** Up to here every text is scored, and what a token adds to each is kept; beyond, a question is compared with candidates. */
export const ALL_TEXTS = 512;

/** Different tokens of a question that count, the heaviest: more than people ask with, and each has its price. */
const MAX_TOKENS = 64;

/** Those that are compared with the tokens of candidates. */
const MAX_COMPARED = 6;

/** Numbers kept of tokens: some 2,000 tokens of a profile of 500 claims, 5,000 of a small one. */
const KEPT_NUMBERS = 4_000_000;

/** At this lead 148 of 1,000 boundary questions of unseen businesses are told from 9 of 1,000 others. */
const CLEAR_LEAD = 0.05;

/** What a token of the vocabulary adds to the sums of a question: it never changes. */
interface Column {
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

/** What a question is compared with. */
interface TokenTexts {
  readonly table: TokenTable;
  /** The tokens of each text. */
  readonly texts: readonly (readonly number[])[];
  /** The vector of each text. */
  readonly vectors: readonly Float32Array[];
  /** How many tokens at the end say what a text excludes. */
  readonly excluded: readonly number[];
}

/** Reads questions with a table of tokens. */
export function createTokenReader(
  { table, texts, vectors, excluded }: TokenTexts,
  { parameters, background }: RetrievalModel,
): Reader {
  const isSmall = texts.length <= ALL_TEXTS;
  const partsOf = (index: number) => {
    const own = texts[index]!;
    const end = own.length - (excluded[index] ?? 0);
    return [own.slice(0, end), own.slice(end)];
  };
  const every = gatherTokens(isSmall ? texts.flatMap((_, index) => partsOf(index)) : []);
  const frequencies = isSmall ? undefined : countTexts(texts);
  const { epsilon } = parameters.late;
  const covered = isSmall ? texts.length : 0;
  const rowAt = 3 * covered;
  const nearAt = rowAt + table.rows.dims;
  const width = nearAt + background.count;
  const nothing = new Float32Array(width);
  const columns = new Map<number, Column>();
  const mostColumns = Math.ceil(KEPT_NUMBERS / width);
  const columnOf = (token: number): Column => {
    const kept = columns.get(token);
    if (kept) return kept;
    const [rest, outside] = alternating(bestCosines(table, token, every));
    const best = rest.map((cosine, at) => Math.max(cosine, outside[at]!));
    const frequency = frequencies ? (frequencies.get(token) ?? 0) : softFrequency(best, parameters.late);
    const weight = table.norm(token) * Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5));
    const row = table.sum([token]);
    const norm = table.norm(token);
    const values = new Float32Array(width);
    for (let text = 0; text < covered; text += 1) {
      values[text] = weight * saturated(best[text]!, epsilon);
      values[covered + text] = leadOf(weight, outside[text]!, rest[text]!, epsilon);
      values[2 * covered + text] = dot(row, vectors[text]!);
    }
    values.set(row, rowAt);
    const near = cosines(rowVector(table.rows, token), background);
    for (let at = 0; at < near.length; at += 1) values[nearAt + at] = norm * near[at]!;
    const column = { token, weight, values };
    if (columns.size === mostColumns) columns.clear();
    columns.set(token, column);
    return column;
  };
  const sumOf = (asked: readonly Column[]): Sums => {
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
  };
  return async query => {
    const tokens = WORD.test(query) ? heaviest(table.tokenize(query), MAX_TOKENS, table) : [];
    const asked = tokens.map(columnOf);
    const sums = sumOf(asked);
    const vector = unit(sums.row);
    const length = norm(sums.row) || 1;
    const whole = asked.reduce((sum, { weight }) => sum + weight, 0) || 1;
    return {
      length: Math.log(1 + tokens.length),
      level: meanOfLargest(sums.near, parameters.calibration.backgroundTop) / length,
      vector,
      meaning: indices =>
        numbersOf(indices, index => (isSmall ? sums.meaning[index]! / length : dot(vector, vectors[index]!))),
      late: indices =>
        isSmall
          ? numbersOf(indices, index => sums.late[index]! / whole)
          : lateOf(heaviest(tokens, MAX_COMPARED, table).map(columnOf), gatherTokens(indices.map(at => texts[at]!))),
      isExcluded(index) {
        if (isSmall) return sums.lead[index]! > CLEAR_LEAD * whole;
        const parts = gatherTokens(partsOf(index));
        const leads = asked.map(({ token, weight }) => {
          const [rest = 0, outside = 0] = bestCosines(table, token, parts);
          return leadOf(weight, outside, rest, epsilon);
        });
        return leads.reduce((sum, lead) => sum + lead, 0) > CLEAR_LEAD * whole;
      },
    };
  };

  function lateOf(few: readonly Column[], compared: TextTokens): Float32Array {
    const sums = new Float32Array(compared.texts.length);
    let whole = 0;
    for (const { token, weight } of few) {
      whole += weight;
      const best = bestCosines(table, token, compared);
      for (let at = 0; at < sums.length; at += 1) sums[at]! += weight * saturated(best[at]!, epsilon);
    }
    return sums.map(sum => sum / (whole || 1));
  }
}

function add(sums: Float32Array, a: Float32Array, b: Float32Array, c: Float32Array, d: Float32Array): void {
  for (let at = 0; at < sums.length; at += 1) sums[at]! += a[at]! + b[at]! + (c[at]! + d[at]!);
}

/** Numbers at even and at odd places. */
function alternating(numbers: Float32Array): [even: Float32Array, odd: Float32Array] {
  return [numbers.filter((_, at) => at % 2 === 0), numbers.filter((_, at) => at % 2 === 1)];
}

const leadOf = (weight: number, outside: number, rest: number, epsilon: number): number =>
  weight * (saturated(outside, epsilon) - saturated(rest, epsilon));

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: number[], most: number, table: TokenTable): number[] {
  if (tokens.length <= most) return tokens;
  const different = [...new Set(tokens)];
  const norms = different.map(token => table.norm(token));
  const kept = new Set(largest(norms, most).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}

/** In how many texts a token or one like it stands. */
function softFrequency(best: Float32Array, { from, to }: Parameters['late']): number {
  return best.reduce((sum, cosine) => sum + Math.min(Math.max((cosine - from) / (to - from), 0), 1), 0);
}

/** A cosine of 0..1 as 0..1, the first steps counting most. */
function saturated(cosine: number, epsilon: number): number {
  return Math.log(1 + cosine / epsilon) / Math.log(1 + 1 / epsilon);
}
