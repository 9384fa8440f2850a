import * as z from 'zod';
import { claimsWithProofs, emptyNote } from '../profile/answer-parts.ts';
import { type Fault, jsonPath, quote } from '../profile/fault.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { readJson } from '../profile/strict-json.ts';
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

/** Members of an answer that nobody has signed. */
export const UNSIGNED = ['query', 'similarity'] as const;

interface ProofSource extends Omit<Expectation, 'now'> {
  /** Bytes of the profile. */
  readonly brand: Uint8Array;
  readonly now?: Date;
}

/**
 * Verifies an answer and its profile from their bytes, without trust in the server that sent them. The
 * brand's name, the note and all members of each match must equal the profile's, and the best match must be
 * first. `UNSIGNED` members are checked for their form only. Bad bytes give a verdict, not an error.
 * @param bytes the body of /ask, which over MCP is `structuredContent`
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
  const answer = profile ? judgeAnswer(bytes, profile) : { proven: false, matches: 0 };
  return { profile: verdict, answer };
}

const Similarity = z.number().min(0).max(1);

/** Unknown members are refused, because a forged match could hide in one. */
const AnswerForm = z.strictObject({
  brand: z.string(),
  query: z.string(),
  matches: z.array(z.looseObject({ claim_id: z.string(), similarity: Similarity })),
  note: z.string().optional(),
});

function judgeAnswer(bytes: Uint8Array, profile: Profile): AnswerVerdict {
  const { value, faults } = readJson(bytes);
  if (faults[0]) return notProven(0, faults[0]);
  const { data, error } = AnswerForm.safeParse(value);
  if (!data) return notProven(0, formFault(value, error.issues));
  const { brand, matches, note } = data;
  if (brand !== brandName(profile)) return notProven(0, { path: 'brand', message: DIFFERS });
  const isOurNote = matches.length === 0 && note === emptyNote(profile);
  if (note !== undefined && !isOurNote) return notProven(0, { path: 'note', message: DIFFERS });
  const expected = new Map(claimsWithProofs(profile).map(claim => [claim.claim_id, claim]));
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

const notProven = (matches: number, difference: Fault): AnswerVerdict => ({
  proven: false,
  matches,
  difference,
});

/** The first fault that the form finds. */
function formFault(value: unknown, [issue]: readonly z.core.$ZodIssue[]): Fault {
  if (isObject(value) && ('jsonrpc' in value || 'content' in value))
    return { path: '', message: 'is a result of MCP: verify its structuredContent, which is the answer' };
  if (issue?.code === 'unrecognized_keys')
    return { path: jsonPath([...issue.path, ...issue.keys.slice(0, 1)]), message: 'is no part of an answer' };
  return { path: jsonPath(issue?.path ?? []), message: issue?.message ?? DIFFERS };
}

const DIFFERS = 'differs from the profile';

/** The first place where two values from JSON differ, at any depth; `undefined` if they are equal. */
function firstDifference(
  actual: unknown,
  expected: unknown,
  path: readonly PropertyKey[],
): Fault | undefined {
  const fault = (message: string): Fault => ({ path: jsonPath(path), message });
  if (actual === expected) return undefined;
  if (actual === undefined) return fault('is missing');
  if (expected === undefined) return fault('is not in the profile');
  const isList = Array.isArray(actual);
  if (!isObject(actual) || !isObject(expected) || isList !== Array.isArray(expected)) return fault(DIFFERS);
  const actualMembers = new Map(Object.entries(actual));
  const expectedMembers = new Map(Object.entries(expected));
  if (isList && actualMembers.size !== expectedMembers.size)
    return fault(`has ${actualMembers.size} entries, the profile has ${expectedMembers.size}`);
  for (const name of new Set([...expectedMembers.keys(), ...actualMembers.keys()])) {
    const memberPath = [...path, isList ? Number(name) : name];
    const difference = firstDifference(actualMembers.get(name), expectedMembers.get(name), memberPath);
    if (difference) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
