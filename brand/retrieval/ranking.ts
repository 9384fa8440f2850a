import { corrected, type Evidence } from './chance.ts';
import type { Parameters } from './parameters.ts';
import { quantityAsked } from './quantity.ts';
import { FLOORS } from './similarity.ts';

/** How well one text answers a question. */
export interface Scored {
  /** Position of the text in what the retrieval was created from. */
  readonly index: number;
  /** Weighted sum of the dense and the expansion score: the product of one vector. */
  readonly meaning: number;
  /** Late interaction, 0..1; 0 where the model has no token rows. */
  readonly late: number;
  /** Character n-gram BM25, 0 to about 1. */
  readonly lexical: number;
  /** Cosine of the encoder's vectors; 0 without an encoder. */
  readonly cosine: number;
  /** Weighted sum of all. */
  readonly score: number;
  /** 0..1: the chance that this text is the right one (similarity.ts); in the order of the scores. */
  readonly similarity: number;
}

export interface Ranking extends Evidence {
  /** Best first, ties by index. */
  readonly scored: readonly Scored[];
  /** 0..1: the chance that any text answers. The similarities of all texts to one question add up to it. */
  readonly some: number;
  /** Whether what the best text excludes is what the question is about. */
  readonly isExcluded: boolean;
  /** Whether the encoder was there, had a place, and did not fail. */
  readonly encoded: boolean;
}

/** A ranking as answers show it: a question for a price needs more to be answered. It hides nothing. */
export function cautious(query: string, ranking: Ranking, { calibration, withEncoder }: Parameters): Ranking {
  const best = topOf(ranking);
  if (quantityAsked(query) !== 'money' || best <= 0 || best >= 1) return ranking;
  const { price } = ranking.encoded ? withEncoder.calibration : calibration;
  const factor = corrected(best, price) / best;
  const scored = ranking.scored.map(hit => ({ ...hit, similarity: hit.similarity * factor }));
  const some = Math.max(ranking.some * factor, Math.min(ranking.some, FLOORS.some));
  return { ...ranking, scored, some };
}

/**
 * The best of each ranking, then the next best of all, most similar first. A text has its highest similarity: to the question
 * that it answers. A question that nothing answers adds nothing.
 */
export function joined(rankings: readonly Ranking[], count: number): Ranking {
  const heard = rankings
    .filter(({ some }, at) => at === 0 || some >= FLOORS.some)
    .toSorted((a, b) => topOf(b) - topOf(a));
  const all = heard.flatMap(({ scored }) => scored).toSorted(bySimilarity);
  const firsts = heard.flatMap(({ scored }) => scored.slice(0, 1));
  const highest = new Map(all.toReversed().map(hit => [hit.index, hit]));
  const chosen = [...new Set([...firsts, ...all].map(({ index }) => index))].slice(0, count);
  const scored = chosen.map(index => highest.get(index)!).toSorted(bySimilarity);
  const some = Math.max(...heard.map(({ some }) => some));
  return { ...heard[0]!, scored, some, encoded: rankings.every(({ encoded }) => encoded) };
}

const topOf = ({ scored: [first] }: Ranking): number => first?.similarity ?? 0;
const bySimilarity = (a: Scored, b: Scored): number => b.similarity - a.similarity;
