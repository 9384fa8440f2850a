import * as z from 'zod';
import { answerNotes } from '../profile/answer-note.ts';
import { type Fault, jsonPath, quote } from '../profile/fault.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { DIFFERS, firstDifference, formFault, Members } from './difference.ts';
import { AnswerError, readAnswer } from './read-answer.ts';
import { type Expectation, type ProfileVerdict, verifyProfile } from './verify-profile.ts';

/** The verdict on an answer, compared with a profile. */
export interface AnswerVerdict {
  /** Every match is in the profile, word for word. True also without matches, which proves nothing. */
  readonly proven: boolean;
  /** Matches compared, up to the first difference. */
  readonly matches: number;
  /** The first difference: `matches[2].boundary.applicable_for: differs from the profile`. */
  readonly difference?: Fault;
}

/** Members that may stand beside proven claims though nobody signed them: the question in any words, similarities, ids of messages. */
export const UNSIGNED = ['query', 'similarity', 'id', 'messageId', 'contextId'] as const;

/**
 * Proves an answer: the brand's name, its note and each match's claim, metric, boundary and proofs equal the profile's, with no member
 * more or less. `UNSIGNED` members are the asker's or the server's; only their form is checked.
 * @param answer from `readAnswer`
 * @param profile that `verifyProfile` found good; another one proves nothing
 */
export function verifyAnswer(answer: unknown, profile: Profile): AnswerVerdict {
  if (Members.safeParse(answer).data?.claim_id !== undefined) {
    const bare = BareClaim.safeParse(answer);
    return bare.success ? verifyClaim(bare.data, profile) : refuted(0, formFault(bare.error.issues));
  }
  const parsed = AnswerForm.safeParse(answer);
  if (!parsed.success) return refuted(0, formFault(parsed.error.issues));
  const { brand, matches, note } = parsed.data;
  if (brand !== brandName(profile)) return refuted(0, { path: 'brand', message: DIFFERS });
  const { weak, empty } = answerNotes(profile);
  if (note !== undefined && note !== (matches.length === 0 ? empty : weak))
    return refuted(0, { path: 'note', message: DIFFERS });
  const expected = matchesOf(profile);
  for (const [at, { similarity: _, ...match }] of matches.entries()) {
    const difference = matchDifference(match, expected.get(match.claim_id), at);
    if (difference) return refuted(at, difference);
    expected.delete(match.claim_id);
  }
  return { proven: true, matches: matches.length };
}

/** Verifies an answer and its profile from their bytes, as a stranger would. Bad bytes give a verdict, not an error. */
export async function proveAnswer(
  bytes: Uint8Array,
  source: Source,
): Promise<{ readonly profile: ProfileVerdict; readonly answer: AnswerVerdict }> {
  const profile = await verifyProfile(source.brand, { now: new Date(), ...source });
  return { profile, answer: judge(bytes, profile) };
}

interface Source extends Omit<Expectation, 'now'> {
  /** Bytes of the profile. */
  readonly brand: Uint8Array;
  readonly now?: Date;
}

function judge(bytes: Uint8Array, { verified, loaded }: ProfileVerdict): AnswerVerdict {
  if (!verified || !loaded) return { proven: false, matches: 0 };
  try {
    const { profile } = loaded;
    return verifyAnswer(
      readAnswer(bytes, text => stringsOf(profile).some(signed => beginsWith(signed, text))),
      profile,
    );
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return refuted(0, { path: '', message: error.message });
  }
}

/** Whole sentences from its beginning: cut elsewhere, a text may say the opposite. */
const beginsWith = (signed: string, text: string) =>
  signed === text || (signed.startsWith(text) && /^[.!?…]/.test(signed.slice(text.length)));

/** Every text of the profile. */
const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : [];

const Similarity = z.number().min(0).max(1);

/** A claim quoted from an answer: id, statement and any other members. */
const BareClaim = z.looseObject({ claim_id: z.string(), statement: z.string(), similarity: Similarity.optional() });

/** Each member must equal the profile's. `similarity` belongs to a question and is skipped. */
function verifyClaim({ similarity: _, ...claim }: z.output<typeof BareClaim>, profile: Profile): AnswerVerdict {
  const expected = matchesOf(profile).get(claim.claim_id);
  if (!expected)
    return refuted(0, { path: 'claim_id', message: `${quote(claim.claim_id)} is no claim of the profile` });
  const members = Object.entries(expected).filter(([name]) => Object.hasOwn(claim, name));
  const difference = firstDifference(claim, Object.fromEntries(members), []);
  return difference ? refuted(0, difference) : { proven: true, matches: 1 };
}

const AnswerForm = z.strictObject({
  brand: z.string(),
  query: z.string(),
  matches: z.array(z.looseObject({ claim_id: z.string(), similarity: Similarity })),
  note: z.string().optional(),
});

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

/** @param claim of the profile, unless an earlier match has shown it */
function matchDifference(match: { claim_id: string }, claim: object | undefined, at: number): Fault | undefined {
  if (claim !== undefined) return firstDifference(match, claim, ['matches', at]);
  const message = `${quote(match.claim_id)} is no claim of the profile, or stands here twice`;
  return { path: jsonPath(['matches', at, 'claim_id']), message };
}

function refuted(matches: number, difference: Fault): AnswerVerdict {
  return { proven: false, matches, difference };
}
