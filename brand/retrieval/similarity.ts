import { FLOOR } from './parameters.ts';

/** What a similarity means, best first. Words, pages, lists, metrics and documents read this table. */
export const BANDS = [
  { band: 'answers', from: FLOOR.answers },
  { band: 'nearest', from: FLOOR.near },
  { band: 'possible', from: 0 },
] as const;

export type Band = (typeof BANDS)[number]['band'];

/** The band of a similarity of 0 to 1. */
export function bandOf(similarity: number): Band {
  return BANDS.find(({ from }) => similarity >= from)?.band ?? 'possible';
}

/**
 * What an answer leaves out: all its matches where `some` is lower, and each match of a lower similarity (model/encoder/README.md).
 * ANSWER_FLOOR sets another for matches.
 */
export const FLOORS = { some: FLOOR.some, match: FLOOR.match } as const;

/** How to read a similarity of the bundled model. */
export const SIMILARITY_MEANING = `similarity (0 to 1): the chance that this match is the right one; from ${FLOOR.answers} it answers, from ${FLOOR.near} it is near, below possible.`;

/** How to read a similarity of any other embedding model. */
export const NOT_CALIBRATED =
  'similarity (0 to 1): not calibrated for this embedding model; it gives an order, not a threshold.';
