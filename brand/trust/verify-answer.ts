import * as z from 'zod';
import { type Fault, jsonPath, quote } from '../profile/fault.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { JsonError, readStrictJson } from '../profile/strict-json.ts';
import { type Expectation, type ProfileVerdict, verifyProfile } from './verify-profile.ts';

/** The answer proves nothing: it is an error, or no answer of this service at all. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** What an answer comes to, held against a profile. */
export interface AnswerVerdict {
  /** Every match stands verbatim in the profile; true of no match at all, which proves nothing. */
  readonly proven: boolean;
  /** How many matches were compared, up to the first difference. */
  readonly matches: number;
  /** The first difference: `matches[2].boundary.applicable_for: differs from the profile`. */
  readonly difference?: Fault;
}

/**
 * Takes the answer out of an /ask body, an MCP `tools/call` result, or the JSON-RPC response around one. Each has the members
 * of its kind and no other: a forged match in a member that nobody looks at would pass for proven.
 * @throws AnswerError for an error, for anything else, and where a result says one thing as text and another as data
 */
export function readAnswer(bytes: Uint8Array): unknown {
  const body = parse(bytes);
  const answer = 'jsonrpc' in body ? shaped(Envelope, body, 'a JSON-RPC response').result : body;
  if ('content' in answer || 'structuredContent' in answer) return readToolResult(answer);
  if ('matches' in answer) return answer;
  throw new AnswerError('neither an /ask answer nor a result of ask_brand');
}

/**
 * Proves an answer against a profile: the brand's name, and each match with its claim, metric, boundary and proofs, no member
 * more or less. `query` and `similarity` are the server's own words; of them only the form is checked.
 * @param answer as `readAnswer` returns it
 * @param profile one that `verifyProfile` found good: against any other the proof is worth nothing
 */
export function verifyAnswer(answer: unknown, profile: Profile): AnswerVerdict {
  const parsed = AnswerForm.safeParse(answer);
  if (!parsed.success) return refuted(0, formFault(parsed.error.issues));
  const { brand, matches } = parsed.data;
  if (brand !== brandName(profile)) return refuted(0, { path: 'brand', message: DIFFERS });
  const expected = matchesOf(profile);
  for (const [at, { similarity: _, ...match }] of matches.entries()) {
    const difference = matchDifference(match, { expected, at });
    if (difference) return refuted(at, difference);
    expected.delete(match.claim_id);
  }
  return { proven: true, matches: matches.length };
}

/** What the bytes of an answer are worth to a stranger: the profile is verified too. What the bytes say never throws. */
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
    return verifyAnswer(readAnswer(bytes), loaded.profile);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return refuted(0, { path: '', message: error.message });
  }
}

const DIFFERS = 'differs from the profile';

const Members = z.record(z.string(), z.unknown());
const Envelope = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: Members,
});

/** `resultType` and `_meta` with the server's name: what MCP 2026-07-28 adds to a result. */
const ToolResult = z.strictObject({
  content: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.unknown().optional(),
  isError: z.literal(false).optional(),
  resultType: z.literal('complete').optional(),
  _meta: z
    .strictObject({
      'io.modelcontextprotocol/serverInfo': z.strictObject({
        name: z.string().max(200),
        title: z.string().max(200).optional(),
        version: z.string().max(200),
        description: z.string().max(2000).optional(),
        websiteUrl: z.string().max(2000).optional(),
      }),
    })
    .optional(),
});

const AnswerForm = z.strictObject({
  brand: z.string(),
  query: z.string(),
  matches: z.array(z.looseObject({ claim_id: z.string(), similarity: z.number().min(0).max(1) })),
});

function parse(bytes: Uint8Array): z.infer<typeof Members> {
  const members = Members.safeParse(readJson(bytes));
  if (members.success) return members.data;
  throw new AnswerError('not a JSON object');
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return readStrictJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new AnswerError(`not JSON: ${error.message}`, { cause: error });
    throw error;
  }
}

/** @throws AnswerError that names the first member which does not belong there, or lacks */
function shaped<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) return data;
  const { path, message } = formFault(error?.issues ?? []);
  throw new AnswerError(`not ${what}: ${path === '' ? message : `${path}: ${message}`}`);
}

/** A model may be shown the text, a program reads the data: both must say the same. */
function readToolResult(result: unknown): unknown {
  const { content, structuredContent } = shaped(ToolResult, result, 'a result of ask_brand');
  const text = parse(new TextEncoder().encode(content[0].text));
  const difference = structuredContent === undefined ? undefined : firstDifference(text, structuredContent, []);
  if (difference) throw new AnswerError(`text and structuredContent differ at ${difference.path || 'the top'}`);
  return text;
}

function formFault([issue]: readonly z.core.$ZodIssue[]): Fault {
  if (issue?.code === 'unrecognized_keys')
    return { path: jsonPath([...issue.path, ...issue.keys.slice(0, 1)]), message: EXTRA };
  return { path: jsonPath(issue?.path ?? []), message: issue?.message ?? DIFFERS };
}

const EXTRA = 'is no part of an answer';

/** Claim id to the claim as a match shows it: with its proofs in place of their ids. */
function matchesOf({ claims, proofs }: Profile): Map<string, unknown> {
  const proofById = new Map(proofs.map(proof => [proof.proof_id, proof]));
  return new Map(
    claims.map(({ proof_ids, ...claim }) => [
      claim.claim_id,
      { ...claim, proofs: proof_ids.map(id => proofById.get(id)) },
    ]),
  );
}

interface Place {
  /** Claims that no earlier match has shown. */
  readonly expected: ReadonlyMap<string, unknown>;
  readonly at: number;
}

function matchDifference(match: { claim_id: string }, { expected, at }: Place): Fault | undefined {
  const claim = expected.get(match.claim_id);
  if (claim !== undefined) return firstDifference(match, claim, ['matches', at]);
  const message = `${quote(match.claim_id)} is no claim of the profile, or stands here twice`;
  return { path: jsonPath(['matches', at, 'claim_id']), message };
}

function firstDifference(actual: unknown, expected: unknown, path: readonly PropertyKey[]): Fault | undefined {
  if (actual === expected) return undefined;
  if (actual === undefined) return { path: jsonPath(path), message: 'is missing' };
  if (expected === undefined) return { path: jsonPath(path), message: 'is not in the profile' };
  if (Array.isArray(actual) && Array.isArray(expected)) return listDifference(actual, expected, path);
  const [members, signed] = [Members.safeParse(actual).data, Members.safeParse(expected).data];
  if (members === undefined || signed === undefined) return { path: jsonPath(path), message: DIFFERS };
  for (const name of new Set([...Object.keys(signed), ...Object.keys(members)])) {
    const difference = firstDifference(members[name], signed[name], [...path, name]);
    if (difference) return difference;
  }
  return undefined;
}

function listDifference(
  actual: readonly unknown[],
  expected: readonly unknown[],
  path: readonly PropertyKey[],
): Fault | undefined {
  if (actual.length !== expected.length) {
    return { path: jsonPath(path), message: `has ${actual.length} entries, the profile has ${expected.length}` };
  }
  for (const [at, entry] of actual.entries()) {
    const difference = firstDifference(entry, expected[at], [...path, at]);
    if (difference) return difference;
  }
  return undefined;
}

function refuted(matches: number, difference: Fault): AnswerVerdict {
  return { proven: false, matches, difference };
}
