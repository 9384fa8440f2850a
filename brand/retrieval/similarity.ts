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
export const SIMILARITY_MEANING = `similarity (0 to 1): the chance that this match is the right one; from ${ANSWERS.from} it answers, from ${NEAREST.from} it is near, below possible.`;

/** How to read a similarity of any other embedding model. */
export const NOT_CALIBRATED =
  'similarity (0 to 1): not calibrated for this embedding model; it gives an order, not a threshold.';
