import type { RetrievalParameters } from '../embedding/retrieval-model.ts';

/** What a similarity means, best first. Words, pages, lists, metrics and documents all read this table. */
export const BANDS = [
  { band: 'answers', from: 0.6 },
  { band: 'nearest', from: 0.2 },
  { band: 'possible', from: 0 },
] as const;

export type Band = (typeof BANDS)[number]['band'];

const [ANSWERS, NEAREST] = BANDS;

/** The band of a similarity of 0 to 1. */
export function bandOf(similarity: number): Band {
  return BANDS.find(({ from }) => similarity >= from)?.band ?? 'possible';
}

/**
 * What an answer leaves out: all its matches where `some` is lower, and each match of a lower similarity (model/encoder/README.md).
 * `npm run eval` prints what other floors would lose. ANSWER_SOME_FLOOR and ANSWER_FLOOR set others.
 */
export const FLOORS = { some: 0.2, match: 0.02 } as const;

/** How to read a similarity of the bundled model. */
export const SIMILARITY_MEANING = `similarity (0 to 1): the chance that this match is the right one. From ${ANSWERS.from} it answers the question; from ${NEAREST.from} it probably does, or is near it; below ${NEAREST.from} possibly.`;

/** How to read a similarity of any other embedding model. */
export const NOT_CALIBRATED =
  'similarity (0 to 1): not calibrated for this embedding model; it gives an order, not a threshold.';

/** What an empty list of matches means, and what to do then. */
export const NOTHING_FITS = 'No matches: no claim answers this. Say so, or offer a diagnostic request to the team.';

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
export function chanceOfAny(
  { best, rivals, length, level }: Evidence,
  weights: RetrievalParameters['calibration'],
): number {
  const z = weights.score * best + weights.rival * rivals + weights.length * length + weights.level * level;
  return 1 / (1 + Math.exp(-z - weights.beta));
}

/** The chance shared out over the texts by their scores: the similarities add up to `some`. */
export function shareOut(
  some: number,
  scores: readonly number[],
  { sharpness }: RetrievalParameters['calibration'],
): number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const shares = scores.map(score => Math.exp(sharpness * (score - best)));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map(share => (some * share) / whole);
}
