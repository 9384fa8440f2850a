import { QUESTION_ACTION } from './action-schema.ts';
import type { Claim, Profile, Proof } from './schema.ts';

/** A claim with its proofs in place of their ids, as in an answer. */
export interface ClaimWithProofs extends Omit<Claim, 'proof_ids'> {
  readonly proofs: readonly Proof[];
}

/**
 * The claims of a profile, each with its proofs, in the order of `proof_ids`.
 * @example const [{ claim_id, proofs }] = claimsWithProofs(profile);
 */
export function claimsWithProofs({ claims, proofs }: Profile): ClaimWithProofs[] {
  const proofsById = new Map(proofs.map(proof => [proof.proof_id, proof]));
  return claims.map(({ proof_ids, ...claim }) => ({
    ...claim,
    proofs: proof_ids.flatMap(id => proofsById.get(id) ?? []),
  }));
}

/**
 * The `note` of an answer without matches: it says what to do next, for programs that show only the JSON. It
 * is in English, like all hints, and quotes the profile.
 */
export function emptyNote({ description, contact, actions }: Profile): string {
  const takesQuestions = actions === undefined || actions[QUESTION_ACTION]?.enabled === true;
  const waysToAsk = contactTexts(contact);
  if (takesQuestions) waysToAsk.push(`the action ${QUESTION_ACTION} sends the question to the team`);
  const sentences = ['No claim answers this. Say so.'];
  if (description !== undefined) sentences.push(`The brand describes itself: “${description}”`);
  if (waysToAsk.length > 0) sentences.push(`To ask a person: ${waysToAsk.join('; ')}.`);
  return sentences.join(' ');
}

/** `email info@casa.example`, for each text in `contact`. The schema does not say what `contact` has. */
function contactTexts(contact: unknown): string[] {
  if (typeof contact !== 'object' || contact === null) return [];
  return Object.entries(contact).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}
