import { renderFault } from '../../brand/profile/fault.ts';
import { brandName, MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { boundedBytes, readBounded } from '../../brand/profile/read-bounded.ts';
import { type AnswerVerdict, proveAnswer, UNSIGNED } from '../../brand/trust/prove-answer.ts';
import type { ProfileVerdict } from '../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { isAddress, readSource } from '../run/profile-source.ts';
import { fetchDocument } from '../run/remote-profile.ts';
import { brandToRead } from './brand-option.ts';
import { noteLines, type VerifyOptions, verdictLines } from './verify.ts';

interface VerifyAnswerOptions extends VerifyOptions {
  /** Profile to hold the answer against, a file or an address; default: what the answer's own host publishes, for a file the default of all commands. */
  readonly brand?: string;
  /** What is given is one quoted claim, not an answer. */
  readonly claim?: boolean;
}

/**
 * `aval verify FILE|URL` of an answer: whether every match of an answer stands verbatim in a profile that is itself verified.
 * Takes an /ask body, an MCP result or a JSON-RPC response; - reads standard input. 1 when anything differs, 3 for an answer
 * without a match, which claims nothing.
 */
export async function verifyAnswer(
  target: string,
  options: VerifyAnswerOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand = isAddress(target) ? new URL(target).origin : undefined } = options;
  const { file, jwks } = brand === undefined ? await brandToRead(undefined) : { file: brand };
  const [bytes, held] = await Promise.all([readTarget(target), readSource(file, { jwks, ...options })]);
  const { profile, answer } = await proveAnswer(bytes, {
    ...held,
    now: options.now ?? new Date(),
    claim: options.claim,
  });
  const { verified, reasons, kids, notes } = profile;
  const { matches, difference } = answer;
  const isProven = verified && answer.proven;
  if (options.json) {
    const said = { target, verified: isProven && matches > 0, matches, difference, reasons, kids, notes };
    writeJson(stdout, { ...said, unchecked: UNSIGNED });
  } else {
    writeLines(stdout, resultLines(profile, answer));
    writeLines(stderr, noteLines(profile));
  }
  if (!isProven) return 1;
  return matches === 0 ? 3 : 0;
}

function readTarget(target: string): Promise<Uint8Array> {
  if (isAddress(target)) return fetchDocument(new URL(target));
  if (target !== '-') return readBounded(target, MAX_PROFILE_BYTES);
  return boundedBytes(process.stdin, MAX_PROFILE_BYTES, 'standard input');
}

function resultLines(profile: ProfileVerdict, { matches, difference }: AnswerVerdict): string[] {
  const { verified, kids, loaded } = profile;
  if (!verified || !loaded) return verdictLines(profile);
  if (difference) return [`refused: ${renderFault(difference)}`];
  if (matches === 0) return ['0 matches: nothing to verify'];
  const where = `the profile of ${brandName(loaded.profile)}, signed by ${kids.join(', ')}`;
  const stand = matches === 1 ? '1 match stands' : `${matches} matches stand`;
  return [`verified: ${stand} verbatim in ${where}`, `not signed, so not checked: ${UNSIGNED.join(', ')}`];
}
