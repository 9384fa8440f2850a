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
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const shares = scores.map(score => Math.exp(sharpness * (score - best)));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map(share => (some * share) / whole);
}

/**
 * A chance by its corrected log odds. A price answers a question for another thing's price with almost the words of the right one:
 * of 616 price questions at .8 and above 544 were right (claim there or left out, even weight), and 421 of 448 where this says .8.
 */
export function corrected(chance: number, { slope, offset }: Calibration['price']): number {
  const odds = Math.log(chance / (1 - chance));
  return 1 / (1 + Math.exp(-slope * odds - offset));
}
