import { renderFault } from '../../brand/profile/fault.ts';
import { proveAnswer } from '../../brand/trust/prove-answer.ts';
import { readSource, type SourceOptions } from '../run/profile-source.ts';

/** Whether an answer stands verbatim in a signed profile. */
export interface AnswerProof {
  /** The profile is verified, and holds every match of the answer, of which there is one at least. */
  readonly verified: boolean;
  /** How many matches were compared, up to the first difference. */
  readonly matches: number;
  /** Everything against it, a sentence each; empty when verified. */
  readonly reasons: readonly string[];
  /** Thumbprints of the keys that signed the profile. */
  readonly kids: readonly string[];
}

export interface VerifyAnswerOptions extends SourceOptions {
  /** What is given is one claim, quoted with its id and statement, and not a whole answer. */
  readonly claim?: boolean | undefined;
}

/**
 * Proves an answer of any server of this kind, as `aval verify` does: each claim, boundary, metric and proof whole and word for
 * word. Nobody signs the question, the similarities and the ids of messages: only their form and the order are checked.
 * @param answer the body of /ask, an MCP result or the JSON-RPC response around one: its bytes or text as they came
 * @param source the profile to hold it against: the address of its host, which publishes the keys too, or a file
 * @throws Error when profile or keys cannot be read
 */
export async function verifyAnswer(
  answer: Uint8Array | string,
  source: string,
  { claim, ...options }: VerifyAnswerOptions = {},
): Promise<AnswerProof> {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
  const { profile, answer: verdict } = await proveAnswer(bytes, { ...(await readSource(source, options)), claim });
  const { matches, difference } = verdict;
  const against = [...profile.reasons, ...(difference ? [difference] : [])].map(renderFault);
  const reasons = against.length === 0 && matches === 0 ? ['the answer has no match, and claims nothing'] : against;
  return { verified: reasons.length === 0, matches, reasons, kids: profile.kids };
}
