import * as z from 'zod';
import { type ClaimWithProofs, claimsWithProofs, emptyNote } from '../profile/answer-parts.ts';
import { type Fault, jsonPath, quote } from '../profile/fault.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { AnswerError, DIFFERS, firstDifference, formFault, readAnswer } from './read-answer.ts';
import { type Expectation, type ProfileVerdict, verifyProfile } from './verify-profile.ts';

/** Whether a profile has everything in an answer. */
export interface AnswerVerdict {
  /** The profile has every match, complete and word for word. Also true for an answer without matches. */
  readonly proven: boolean;
  /** Matches compared, up to the first difference. */
  readonly matches: number;
  /** The first difference: `matches[2].boundary.applicable_for: differs from the profile`. */
  readonly difference?: Fault;
}

/** Members of an answer that nobody has signed: the question, the similarities, ids of messages. */
export const UNSIGNED = ['query', 'similarity', 'id', 'messageId', 'contextId'] as const;

interface ProofSource extends Omit<Expectation, 'now'> {
  /** Bytes of the profile. */
  readonly brand: Uint8Array;
  readonly now?: Date;
}

/**
 * Verifies an answer and its profile from their bytes, without trust in the server that sent them. The
 * brand's name, the note and all members of each match must equal the profile's, and the best match must be
 * first. `UNSIGNED` members are checked for their form only. Bad bytes give a verdict, not an error.
 * @example
 * const source = { brand: profileBytes, jwks: keySetBytes, host: 'acme.example' };
 * const verdict = await proveAnswer(answerBytes, source);
 * if (!verdict.answer.proven) console.error(verdict.answer.difference);
 */
export async function proveAnswer(
  bytes: Uint8Array,
  source: ProofSource,
): Promise<{ readonly profile: ProfileVerdict; readonly answer: AnswerVerdict }> {
  const verdict = await verifyProfile(source.brand, { now: new Date(), ...source });
  const profile = verdict.verified ? verdict.loaded?.profile : undefined;
  if (!profile) return { profile: verdict, answer: { proven: false, matches: 0 } };
  try {
    return { profile: verdict, answer: judgeAnswer(bytes, profile) };
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return { profile: verdict, answer: notProven(0, { path: '', message: error.message }) };
  }
}

const Similarity = z.number().min(0).max(1);

const AnswerForm = z.strictObject({
  brand: z.string(),
  query: z.string(),
  matches: z.array(z.looseObject({ claim_id: z.string(), similarity: Similarity })),
  note: z.string().optional(),
});

function judgeAnswer(bytes: Uint8Array, profile: Profile): AnswerVerdict {
  const name = brandName(profile);
  const { data, error } = AnswerForm.safeParse(readAnswer(bytes, name));
  if (!data) return notProven(0, formFault(error.issues));
  const { brand, matches, note } = data;
  if (brand !== name) return notProven(0, { path: 'brand', message: DIFFERS });
  const isOurNote = matches.length === 0 && note === emptyNote(profile);
  if (note !== undefined && !isOurNote) return notProven(0, { path: 'note', message: DIFFERS });
  const expected = claimsById(profile);
  let previousSimilarity = 1;
  for (const [index, { similarity, ...match }] of matches.entries()) {
    const claim = expected.get(match.claim_id);
    if (!claim) {
      const message = `${quote(match.claim_id)} is no claim of the profile, or stands here twice`;
      return notProven(index, { path: jsonPath(['matches', index, 'claim_id']), message });
    }
    const difference = firstDifference(match, claim, ['matches', index]);
    if (difference) return notProven(index, difference);
    if (similarity > previousSimilarity) {
      const message = 'is larger than the one before: the best match stands first';
      return notProven(index, { path: jsonPath(['matches', index, 'similarity']), message });
    }
    previousSimilarity = similarity;
    // An answer may have each claim once.
    expected.delete(match.claim_id);
  }
  return { proven: true, matches: matches.length };
}

function claimsById(profile: Profile): Map<string, ClaimWithProofs> {
  return new Map(claimsWithProofs(profile).map(claim => [claim.claim_id, claim]));
}

const notProven = (matches: number, difference: Fault): AnswerVerdict => ({
  proven: false,
  matches,
  difference,
});
