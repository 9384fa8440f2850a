import { renderFault } from '../../brand/profile/fault.ts';
import { brandName, MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { boundedBytes, readBounded } from '../../brand/profile/read-bounded.ts';
import { tryParseJson } from '../../brand/profile/strict-json.ts';
import { type AnswerVerdict, proveAnswer, UNSIGNED } from '../../brand/trust/prove-answer.ts';
import { type ProfileVerdict, uncheckedHost, verifyProfile } from '../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { fetchDocument, isAddress, readSource, type SourceOptions } from '../library/profile-source.ts';
import { chosenBrand } from './chosen-brand.ts';

interface VerifyOptions extends SourceOptions {
  /**
   * The profile to compare an answer with. Default: the one that its host publishes; for a file the default
   * profile of all commands.
   */
  readonly brand?: string;
  readonly now?: Date;
}

/**
 * `aval verify FILE|URL`: whether a profile comes from the host it names, is unchanged and in force; or
 * whether an answer is verbatim in such a profile. Exit code 1 if not.
 */
export async function verify(
  target: string | undefined,
  options: VerifyOptions,
  output: Output,
): Promise<ExitCode> {
  if (target !== undefined && (await isAnswer(target))) return verifyAnswer(target, options, output);
  const { file, jwks: keysOfFile } = await chosenBrand({ named: target });
  const keys = target === undefined ? { jwks: keysOfFile } : {};
  const { brand, jwks, host } = await readSource(file, { ...keys, ...options });
  const verdict = await verifyProfile(brand, { jwks, host, now: options.now ?? new Date() });
  writeLines(output.stdout, verdictLines(verdict));
  writeLines(output.stderr, [...noteLines(verdict, host), ...(verdict.verified ? [MEANING] : [])]);
  return verdict.verified ? 0 : 1;
}

const MEANING =
  'note: this proves who published the profile and that nobody changed it, not that its claims are true';

/**
 * Whether the target is an answer. An address is one if it ends in /ask. A file is one unless it is broken or
 * an object with claims.
 */
async function isAnswer(target: string): Promise<boolean> {
  if (target === '-') return true;
  if (isAddress(target)) return new URL(target).pathname.endsWith('/ask');
  const bytes = await readBounded(target, MAX_PROFILE_BYTES);
  const text = new TextDecoder().decode(bytes);
  const value = tryParseJson(text);
  if (typeof value !== 'object' || value === null) return !text.trimStart().startsWith('{');
  return !('profile' in value) && !('claims' in value);
}

/** `verified: …` with the brand and its keys, or one `refused: …` a reason. */
function verdictLines({ verified, reasons, kids, loaded }: ProfileVerdict): string[] {
  if (!verified || !loaded) return reasons.map(reason => `refused: ${renderFault(reason)}`);
  const { profile } = loaded;
  return [
    `verified: ${brandName(profile)} (${profile.url}) until ${profile.expires_at}, key ${kids.join(', ')}`,
  ];
}

function noteLines({ notes, loaded }: ProfileVerdict, host: string | undefined): string[] {
  const unchecked = loaded && host === undefined ? [uncheckedHost(loaded.profile)] : [];
  return [...notes, ...unchecked].map(note => `note: ${note}`);
}

/** Verifies an answer, in the form of /ask. Exit code 3 for an answer without a match. */
async function verifyAnswer(
  target: string,
  options: VerifyOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand = isAddress(target) ? new URL(target).origin : undefined, now = new Date() } = options;
  const { file, jwks } = brand === undefined ? await chosenBrand({}) : { file: brand };
  const [bytes, source] = await Promise.all([readAnswer(target), readSource(file, { jwks, ...options })]);
  const { profile, answer } = await proveAnswer(bytes, { ...source, now });
  writeLines(stdout, answerLines(profile, answer));
  writeLines(stderr, noteLines(profile, source.host));
  if (!answer.proven) return 1;
  return answer.matches === 0 ? 3 : 0;
}

function readAnswer(target: string): Promise<Uint8Array> {
  if (isAddress(target)) return fetchDocument(new URL(target));
  if (target !== '-') return readBounded(target, MAX_PROFILE_BYTES);
  return boundedBytes(process.stdin, MAX_PROFILE_BYTES, 'standard input');
}

function answerLines(profile: ProfileVerdict, { matches, difference }: AnswerVerdict): string[] {
  const { verified, kids, loaded } = profile;
  if (!verified || !loaded) return verdictLines(profile);
  if (difference) return [`refused: ${renderFault(difference)}`];
  if (matches === 0) return ['0 matches: nothing to verify'];
  const where = `the profile of ${brandName(loaded.profile)}, signed by ${kids.join(', ')}`;
  const stand = matches === 1 ? '1 match stands' : `${matches} matches stand`;
  return [`verified: ${stand} verbatim in ${where}`, `not signed, so not checked: ${UNSIGNED.join(', ')}`];
}
