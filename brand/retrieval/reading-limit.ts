import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../profile/schema.ts';
import { questionsByClaim } from './claim-texts.ts';
import { BUNDLED_MODEL } from './similarity.ts';
import { openUnigram } from './unigram.js';

/** Pieces of a claim's text that the bundled model reads, without its first and last id. */
const MOST_PIECES = 190;

/** A claim that the encoder does not read to its end. */
export interface UnreadClaim {
  /** Its place in the profile. */
  readonly index: number;
  /** The first member whose end is not read. */
  readonly member: 'statement' | 'boundary';
}

/**
 * The claims whose statement or limits stand beyond what the bundled model reads, because their questions
 * come first.
 */
export function unreadClaims(profile: Pick<Profile, 'claims' | 'questions' | 'language'>): UnreadClaim[] {
  const piecesOf = openUnigram(readFileSync(join(BUNDLED_MODEL, 'tokenizer.json')));
  const questions = questionsByClaim(profile);
  const isTooLong = (parts: readonly string[]) =>
    piecesOf(`passage: ${parts.join(' ')}`, MOST_PIECES + 1).length > MOST_PIECES;
  return profile.claims.flatMap(({ claim_id, statement, metric, boundary }, index): UnreadClaim[] => {
    const stated = [...(questions.get(claim_id) ?? []), statement];
    if (isTooLong(stated)) return [{ index, member: 'statement' }];
    const name = metric ? [`${metric.name}.`] : [];
    const claimText = [...stated, ...name, boundary.applicable_for, boundary.not_applicable_for];
    return isTooLong(claimText) ? [{ index, member: 'boundary' }] : [];
  });
}
