import type { Answer, Match } from './brand.ts';

/**
 * Writes answers as `JSON.stringify` does, in a fifth of the time, which is a tenth of a question: what answers share of a
 * claim is written once.
 */
export function createAnswerWriter(): (answer: Answer) => string {
  const claims = new Map<string, Written>();
  const writtenOf = (match: Match): Written => {
    const known = claims.get(match.claim_id);
    if (known) return known;
    const { similarity: _, proofs, ...rest } = match;
    const written = { before: JSON.stringify(rest).slice(0, -1), proofs: JSON.stringify(proofs) };
    claims.set(match.claim_id, written);
    return written;
  };
  const json = (match: Match): string => {
    const { before, proofs } = writtenOf(match);
    return `${before},"similarity":${match.similarity},"proofs":${proofs}}`;
  };
  return ({ brand, query, matches, note }) => {
    const head = JSON.stringify({ brand, query }).slice(0, -1);
    const tail = note === undefined ? '' : `,"note":${JSON.stringify(note)}`;
    return `${head},"matches":[${matches.map(json).join(',')}]${tail}}`;
  };
}

/** A claim without its similarity: what comes before it, and its proofs. */
interface Written {
  readonly before: string;
  readonly proofs: string;
}
