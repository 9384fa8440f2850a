import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { Embedder } from '../brand/retrieval/embedder.ts';
import { dot } from '../brand/retrieval/vector.ts';
import type { Draft } from './warnings.ts';

/** Above this cosine, two statements of one language say the same with the bundled model; unlike ones stay below 0.6. */
const NEAR_DUPLICATE = 0.7;

/** Every pair is compared: 2,000 claims are 2 million pairs, about a second. */
const MAX_COMPARED = 2000;

/**
 * Claims that an earlier one nearly repeats: they take each other's place in answers. A profile of more than 2,000 claims is
 * compared up to there.
 */
export async function duplicateWarnings({ claims }: Draft, embedder: Embedder): Promise<Fault[]> {
  const compared = claims.slice(0, MAX_COMPARED);
  const vectors = await embedder.embed(compared.map(({ part }) => part.statement));
  return vectors.flatMap((vector, index) => {
    // The first that is like this one; unless it is a repetition, that is itself.
    const earlier = vectors.findIndex(other => dot(vector, other) >= NEAR_DUPLICATE);
    const [claim, first] = [compared[index], compared[earlier]];
    if (!claim || !first || earlier === index) return [];
    return [fault(jsonPath(['claims', claim.at, 'statement']), 'near_duplicate', first.part.claim_id)];
  });
}
