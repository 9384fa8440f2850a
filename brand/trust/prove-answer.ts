import * as z from 'zod';
import { type Fault, jsonPath, quote } from '../profile/fault.ts';
import { brandName, emptyNote } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { AnswerError, DIFFERS, firstDifference, formFault, readAnswer, readMembers } from './read-answer.ts';
import { type Expectation, type ProfileVerdict, verifyProfile } from './verify-profile.ts';

/** The verdict on an answer, compared with a profile. */
export interface AnswerVerdict {
  /** Every match is in the profile, whole and word for word. True also without matches, which proves nothing. */
  readonly proven: boolean;
  /** Matches compared, up to the first difference. */
  readonly matches: number;
  /** The first difference: `matches[2].boundary.applicable_for: differs from the profile`. */
  readonly difference?: Fault;
}

/** Members that may stand beside proven claims though nobody signed them: the question in any words, similarities, ids of messages. */
export const UNSIGNED = ['query', 'similarity', 'id', 'messageId', 'contextId'] as const;

interface Source extends Omit<Expectation, 'now'> {
  /** Bytes of the profile. */
  readonly brand: Uint8Array;
  readonly now?: Date;
  /** The bytes are one quoted claim, which may leave out members, instead of an answer, which may not. */
  readonly claim?: boolean | undefined;
}

/**
 * Verifies an answer and its profile from their bytes, as a stranger would. The brand's name, the note and each match's claim,
 * metric, boundary and proofs must equal the profile's, with no member more or less, best match first. Of `UNSIGNED` members
 * only the form is checked. Bad bytes give a verdict, not an error.
 */
export async function proveAnswer(
  bytes: Uint8Array,
  { claim = false, ...source }: Source,
): Promise<{ readonly profile: ProfileVerdict; readonly answer: AnswerVerdict }> {
  const verdict = await verifyProfile(source.brand, { now: new Date(), ...source });
  const profile = verdict.verified ? verdict.loaded?.profile : undefined;
  if (!profile) return { profile: verdict, answer: { proven: false, matches: 0 } };
  const judge = claim ? judgeClaim : judgeAnswer;
  try {
    return { profile: verdict, answer: judge(bytes, profile) };
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return { profile: verdict, answer: refuted(0, { path: '', message: error.message }) };
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
  if (!data) return refuted(0, formFault(error.issues));
  const { brand, matches, note } = data;
  if (brand !== name) return refuted(0, { path: 'brand', message: DIFFERS });
  const isOurNote = matches.length === 0 && note === emptyNote(profile);
  if (note !== undefined && !isOurNote) return refuted(0, { path: 'note', message: DIFFERS });
  const expected = matchesOf(profile);
  let last = 1;
  for (const [at, { similarity, ...match }] of matches.entries()) {
    const claim = expected.get(match.claim_id);
    const difference = claim
      ? firstDifference(match, claim, ['matches', at])
      : unknownClaim(match.claim_id, at);
    if (difference) return refuted(at, difference);
    if (similarity > last)
      return refuted(at, { path: jsonPath(['matches', at, 'similarity']), message: UNORDERED });
    last = similarity;
    expected.delete(match.claim_id);
  }
  return { proven: true, matches: matches.length };
}

const UNORDERED = 'is larger than the one before: the best match stands first';

/** A claim quoted from an answer: id, statement and any other members, each of them whole. */
const BareClaim = z.looseObject({
  claim_id: z.string(),
  statement: z.string(),
  similarity: Similarity.optional(),
});

function judgeClaim(bytes: Uint8Array, profile: Profile): AnswerVerdict {
  const { data, error } = BareClaim.safeParse(readMembers(bytes));
  if (!data) return refuted(0, formFault(error.issues));
  const { similarity: _, ...claim } = data;
  const expected = matchesOf(profile).get(claim.claim_id);
  if (!expected)
    return refuted(0, { path: 'claim_id', message: `${quote(claim.claim_id)} is no claim of the profile` });
  const members = Object.entries(expected).filter(([name]) => Object.hasOwn(claim, name));
  const difference = firstDifference(claim, Object.fromEntries(members), []);
  return difference ? refuted(0, difference) : { proven: true, matches: 1 };
}

/** Claims by id, as a match shows them: proofs in place of their ids. */
function matchesOf({ claims, proofs }: Profile): Map<string, object> {
  const proofById = new Map(proofs.map(proof => [proof.proof_id, proof]));
  return new Map(
    claims.map(({ proof_ids, ...claim }) => [
      claim.claim_id,
      { ...claim, proofs: proof_ids.map(id => proofById.get(id)) },
    ]),
  );
}

const unknownClaim = (id: string, at: number): Fault => ({
  path: jsonPath(['matches', at, 'claim_id']),
  message: `${quote(id)} is no claim of the profile, or stands here twice`,
});

const refuted = (matches: number, difference: Fault): AnswerVerdict => ({
  proven: false,
  matches,
  difference,
});
