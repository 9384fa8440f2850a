/** From here on a match is called an answer; model/README.md and docs/retrieval.md have the precision and recall. */
export const ANSWERED_FROM = 0.6;

/** From here to `ANSWERED_FROM` a match is weak; below, nothing in the profile answers the question. */
export const WEAK_FROM = 0.4;

/**
 * Claims below are left out of an answer: the largest floor that loses at most 1 % of the right claims among the first five
 * (`npm run eval` prints the curve). ANSWER_FLOOR sets another.
 */
export const FLOOR = 0.006;

/** How to read a similarity of the bundled model: the one wording that tools and documents show. */
export const SIMILARITY_MEANING = `similarity (0 to 1): how likely the match is right; from ${ANSWERED_FROM} an answer, from ${WEAK_FROM} weak, below ${WEAK_FROM} none.`;

/** The same for any other embedding model. */
export const NOT_CALIBRATED =
  'similarity (0 to 1): not calibrated for this embedding model; it gives an order, not a threshold.';

/** What an empty list of matches means, and what to do then. */
export const NOTHING_FITS = 'No matches: nothing fits. Say so, or offer a diagnostic request to the team.';
