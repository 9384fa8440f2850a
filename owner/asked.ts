import { wordsOf } from '../brand/profile/folded-text.ts';
import type { AskedQuestion } from '../tools/deliver.ts';

/** One question as people asked it, in the same words but for capitals, accents and signs. */
export interface Counted {
  /** As it was asked last. */
  readonly query: string;
  readonly times: number;
  /** Of the last answer. */
  readonly similarity: number;
  /** What the last answer put first; absent where nothing fitted. */
  readonly claim_id?: string;
  /** Whether the last answer was a good one. */
  readonly answered: boolean;
}

/** From this similarity on the best match is right about nine times in ten (model/encoder/README.md). */
const GOOD_ANSWER = 0.8;

/** Questions without a good answer first, and the most asked first among each. @param asked oldest first */
export function countAsked(asked: readonly AskedQuestion[]): Counted[] {
  const counted = new Map<string, Counted>();
  for (const { query, similarity, claimId } of asked) {
    const wording = wordsOf(query).join(' ');
    const times = (counted.get(wording)?.times ?? 0) + 1;
    const answered = similarity >= GOOD_ANSWER;
    counted.set(wording, {
      query,
      times,
      similarity,
      answered,
      ...(claimId !== undefined && { claim_id: claimId }),
    });
  }
  return [...counted.values()].toSorted(
    (a, b) => Number(a.answered) - Number(b.answered) || b.times - a.times,
  );
}
