import type { TokenTable } from './embedder.ts';
import type { RetrievalModel } from './model.ts';
import { meanOfLargest, numbersOf, type Reader, WORD } from './reader.ts';
import { bestCosines, gatherTokens } from './text-tokens.ts';
import { ALL_TEXTS, type Column, createTokenSums, leadOf, saturated, type TokenTexts } from './token-sums.ts';
import { dot, norm, unit } from './vector.ts';
import { largest } from './vector-index.ts';

/** Different tokens of a question that count, the heaviest: more than people ask with, and each has its price. */
const MAX_TOKENS = 64;

/** Those that are compared with the tokens of candidates. */
const MAX_COMPARED = 6;

/** At this lead 148 of 1,000 boundary questions of unseen businesses are told from 9 of 1,000 others. */
const CLEAR_LEAD = 0.05;

/** Reads questions with a table of tokens. */
export function createTokenReader(
  input: TokenTexts,
  model: Pick<RetrievalModel, 'parameters' | 'background'>,
): Reader {
  const { table, texts, vectors } = input;
  const { late, calibration } = model.parameters;
  const { columnOf, sumOf } = createTokenSums(input, model);
  const isSmall = texts.length <= ALL_TEXTS;

  /** Late interaction with candidates alone. */
  const lateWith = (few: readonly Column[], indices: readonly number[]): Float32Array => {
    const compared = gatherTokens(indices.map(at => texts[at]!.flat()));
    const sums = new Float32Array(indices.length);
    for (const { token, weight } of few) {
      const best = bestCosines(table, token, compared);
      for (let at = 0; at < sums.length; at += 1) sums[at]! += weight * saturated(best[at]!, late);
    }
    const whole = weightOf(few);
    return sums.map(sum => sum / whole);
  };
  const leadWith = (asked: readonly Column[], index: number): number => {
    const parts = gatherTokens(texts[index]!);
    const leads = asked.map(({ token, weight }) => {
      const [said = 0, excluded = 0] = bestCosines(table, token, parts);
      return leadOf(weight, excluded, said, late);
    });
    return leads.reduce((sum, lead) => sum + lead, 0);
  };
  return async query => {
    const tokens = WORD.test(query) ? heaviest(table.tokenize(query), MAX_TOKENS, table) : [];
    const asked = tokens.map(columnOf);
    const sums = sumOf(asked);
    const vector = unit(sums.row);
    const length = norm(sums.row) || 1;
    const whole = weightOf(asked);
    return {
      length: Math.log(1 + tokens.length),
      level: meanOfLargest(sums.near, calibration.backgroundTop) / length,
      vector,
      meaning: indices =>
        numbersOf(indices, index => (isSmall ? sums.meaning[index]! / length : dot(vector, vectors[index]!))),
      late: indices =>
        isSmall
          ? numbersOf(indices, index => sums.late[index]! / whole)
          : lateWith(heaviest(tokens, MAX_COMPARED, table).map(columnOf), indices),
      isExcluded: index => (isSmall ? sums.lead[index]! : leadWith(asked, index)) > CLEAR_LEAD * whole,
    };
  };
}

const weightOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { weight }) => sum + weight, 0) || 1;

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: number[], most: number, table: TokenTable): number[] {
  if (tokens.length <= most) return tokens;
  const different = [...new Set(tokens)];
  const norms = different.map(token => table.norm(token));
  const kept = new Set(largest(norms, most).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}
