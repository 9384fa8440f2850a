import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim, Profile } from '../profile/schema.ts';
import { primaryTag } from '../profile/texts.ts';
import { BUNDLED_MODEL } from './similarity.ts';
import { openUnigram } from './unigram.js';

/** Questions of one claim that are searched. */
export const QUESTIONS_OF_A_CLAIM = 12;

/** The two texts of a claim that the embedder reads (model/encoder/README.md, 1). */
export interface ClaimTexts {
  /** Its questions, statement, metric name and limits. */
  readonly stated: string;
  /** Its questions only. Absent if it has none. */
  readonly asked?: string;
}

type ClaimsAndQuestions = Pick<Profile, 'claims' | 'questions' | 'language'>;

/** The texts of every claim of a profile, in the order of its claims. */
export function claimTexts(profile: ClaimsAndQuestions): ClaimTexts[] {
  const questions = questionsByClaim(profile);
  return profile.claims.map(claim => textsOf(claim, questions.get(claim.claim_id) ?? []));
}

/** Tokens of a claim's text that the bundled model reads, without the first and the last token. */
const MAX_TOKENS = 190;

/** Indexes of the claims whose text the bundled model does not read to its end. */
export function unreadClaims(profile: ClaimsAndQuestions): number[] {
  const tokensOf = openUnigram(readFileSync(join(BUNDLED_MODEL, 'tokenizer.json')));
  return claimTexts(profile).flatMap(({ stated }, index) => {
    const isUnread = tokensOf(`passage: ${stated}`, MAX_TOKENS + 1).length > MAX_TOKENS;
    return isUnread ? [index] : [];
  });
}

/** Questions by claim id. Those in the profile's language come first, and at most twelve count. */
function questionsByClaim({
  questions = [],
  language: profileLanguage,
}: Pick<Profile, 'questions' | 'language'>): Map<string, string[]> {
  const inProfileLanguage = questions.filter(({ language }) => isSameLanguage(language, profileLanguage));
  const inOthers = questions.filter(({ language }) => !isSameLanguage(language, profileLanguage));
  const byClaim = new Map<string, string[]>();
  for (const { claim_id, text } of [...inProfileLanguage, ...inOthers]) {
    const texts = byClaim.get(claim_id) ?? [];
    if (texts.length < QUESTIONS_OF_A_CLAIM) texts.push(text);
    byClaim.set(claim_id, texts);
  }
  return byClaim;
}

/**
 * Languages compare by their first part: `en-GB` is `en`. A question without a language has the profile's.
 */
function isSameLanguage(language: string | undefined, profileLanguage: string): boolean {
  return language === undefined || primaryTag(language) === primaryTag(profileLanguage);
}

function textsOf(claim: Claim, questions: readonly string[]): ClaimTexts {
  const { statement, metric, boundary } = claim;
  const parts = [
    ...questions,
    statement,
    metric && `${metric.name}.`,
    boundary.applicable_for,
    boundary.not_applicable_for,
  ];
  const stated = parts.filter(Boolean).join(' ');
  return questions.length === 0 ? { stated } : { stated, asked: questions.join(' ') };
}

/** The text of a question for the embedder. A question in capitals becomes lower case. */
export function questionText(query: string): string {
  return query === query.toUpperCase() ? query.toLowerCase() : query;
}
