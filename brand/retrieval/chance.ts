import type { Calibration } from './parameters.ts';

/** What the scores of all texts tell about a question. */
export interface Evidence {
  /** The best score. */
  readonly best: number;
  /** Mean score of the texts ranked next; `best` where there is no other. */
  readonly rivals: number;
  /** ln(1 + number of the question's tokens). */
  readonly length: number;
  /** How near the question is to texts that do not answer it. */
  readonly level: number;
}

/** The chance, 0 to 1, that any text answers: logistic regression (model/encoder/README.md, `some`). */
export function chanceOfAny({ best, rivals, length, level }: Evidence, weights: Calibration): number {
  const z = weights.score * best + weights.rival * rivals + weights.length * length + weights.level * level;
  return 1 / (1 + Math.exp(-z - weights.beta));
}

/** The chance shared out over the texts by their scores: the similarities add up to `some`. */
export function shareOut(some: number, scores: Float64Array, { sharpness }: Calibration): Float64Array {
  let [best, whole] = [Number.NEGATIVE_INFINITY, 0];
  for (const score of scores) best = Math.max(best, score);
  const shares = new Float64Array(scores.length);
  for (let at = 0; at < shares.length; at += 1)
    whole += shares[at] = Math.exp(sharpness * (scores[at]! - best));
  for (let at = 0; at < shares.length; at += 1) shares[at]! *= some / whole;
  return shares;
}

/**
 * A chance by its corrected log odds. A price answers a question for another thing's price with almost the words of the right one:
 * of 616 price questions at .8 and above 544 were right (claim there or left out, even weight), and 421 of 448 where this says .8.
 */
export function corrected(chance: number, { slope, offset }: Calibration['price']): number {
  const odds = Math.log(chance / (1 - chance));
  return 1 / (1 + Math.exp(-slope * odds - offset));
}
