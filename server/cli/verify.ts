import { renderFault } from '../../brand/profile/fault.ts';
import { brandName, MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { jsonOrNothing } from '../../brand/profile/strict-json.ts';
import { type ProfileVerdict, verifyProfile } from '../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { isAddress, readSource, type SourceOptions } from '../run/profile-source.ts';
import { brandToRead } from './brand-option.ts';

export interface VerifyOptions extends SourceOptions {
  readonly json?: boolean;
  readonly now?: Date;
}

/**
 * `aval verify FILE|URL`: whether a profile comes from the host it names, unchanged and in its time; or, where the target is an
 * answer, whether that stands in such a profile. 1 when it does not.
 */
export async function verify(
  target: string | undefined,
  options: VerifyOptions & { readonly brand?: string; readonly claim?: boolean },
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  if (target !== undefined && (options.claim || (await isAnswer(target)))) {
    const { verifyAnswer } = await import('./verify-answer.ts');
    return verifyAnswer(target, options, { stdout, stderr });
  }
  const { file, ...found } = await brandToRead(target);
  const keys = target === undefined ? { jwks: found.jwks } : {};
  const { brand, jwks, host } = await readSource(file, { ...keys, ...options });
  const verdict = await verifyProfile(brand, { jwks, host, now: options.now ?? new Date() });
  if (options.json) writeJson(stdout, asJson(file, verdict));
  else {
    writeLines(stdout, verdictLines(verdict));
    writeLines(stderr, [...noteLines(verdict), ...(verdict.verified ? [MEANING] : [])]);
  }
  return verdict.verified ? 0 : 1;
}

const MEANING = 'note: this proves who published the profile and that nobody changed it, not that its claims are true';

/** A site or a .json address is a profile's, any other address an answer's. A file is a profile where it has claims of its own. */
async function isAnswer(target: string): Promise<boolean> {
  if (target === '-') return true;
  if (isAddress(target)) return !/^\/$|\.json$/.test(new URL(target).pathname);
  const bytes = await readBounded(target, MAX_PROFILE_BYTES);
  const value = jsonOrNothing(new TextDecoder().decode(bytes));
  return typeof value === 'object' && value !== null && !('profile' in value) && !('claims' in value);
}

/** `verified: …` with the brand and its keys, or one `refused: …` a reason. */
export function verdictLines({ verified, reasons, kids, loaded }: ProfileVerdict): string[] {
  if (!verified || !loaded) return reasons.map(reason => `refused: ${renderFault(reason)}`);
  const { profile } = loaded;
  return [`verified: ${brandName(profile)} (${profile.url}) until ${profile.expires_at}, key ${kids.join(', ')}`];
}

export const noteLines = ({ notes }: ProfileVerdict) => notes.map(note => `note: ${note}`);

function asJson(target: string, { verified, reasons, kids, notes, loaded }: ProfileVerdict): object {
  const { profile, digest } = loaded ?? {};
  const { url, issued_at, expires_at } = profile ?? {};
  const signed = { brand: profile && brandName(profile), url, issued_at, expires_at, digest };
  return { target, verified, reasons, kids, notes, ...signed };
}
