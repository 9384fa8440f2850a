import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../profile/schema.ts';
import { questionsByClaim } from './claim-texts.ts';
import { BUNDLED_MODEL } from './similarity.ts';
import { openUnigram } from './unigram.js';

/** Tokens of a claim's text that the bundled model reads, without the first and the last token. */
const MAX_TOKENS = 190;

/** A claim that the encoder does not read to its end. */
export interface UnreadClaim {
  /** Its index in the profile. */
  readonly index: number;
  /** The first member whose end is not read. */
  readonly member: 'statement' | 'boundary';
}

/** The claims that the bundled model does not read to their end. It reads questions first. */
export function unreadClaims(profile: Pick<Profile, 'claims' | 'questions' | 'language'>): UnreadClaim[] {
  const tokensOf = openUnigram(readFileSync(join(BUNDLED_MODEL, 'tokenizer.json')));
  const questions = questionsByClaim(profile);
  const isTooLong = (parts: readonly string[]) =>
    tokensOf(`passage: ${parts.join(' ')}`, MAX_TOKENS + 1).length > MAX_TOKENS;
  return profile.claims.flatMap(({ claim_id, statement, metric, boundary }, index): UnreadClaim[] => {
    const questionsAndStatement = [...(questions.get(claim_id) ?? []), statement];
    if (isTooLong(questionsAndStatement)) return [{ index, member: 'statement' }];
    const name = metric ? [`${metric.name}.`] : [];
    const claimText = [
      ...questionsAndStatement,
      ...name,
      boundary.applicable_for,
      boundary.not_applicable_for,
    ];
    return isTooLong(claimText) ? [{ index, member: 'boundary' }] : [];
  });
}
