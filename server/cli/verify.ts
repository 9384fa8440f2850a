import { renderFault } from '../../brand/profile/fault.ts';
import { brandName } from '../../brand/profile/profile.ts';
import { type ProfileVerdict, verifyProfile } from '../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/terminal/output.ts';
import { readSource, type SourceOptions } from '../brand/profile-source.ts';

export interface VerifyOptions extends SourceOptions {
  readonly json?: boolean;
  readonly now?: Date;
}

/** `aval verify FILE|URL`: whether a profile comes from the host it names, unchanged and in its time. 1 when it does not. */
export async function verify(target: string, options: VerifyOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { brand, jwks, host } = await readSource(target, options);
  const verdict = await verifyProfile(brand, { jwks, host, now: options.now ?? new Date() });
  if (options.json) writeJson(stdout, asJson(target, verdict));
  else {
    writeLines(stdout, verdictLines(verdict));
    writeLines(stderr, [...noteLines(verdict), ...(verdict.verified ? [MEANING] : [])]);
  }
  return verdict.verified ? 0 : 1;
}

const MEANING = 'note: this proves who published the profile and that nobody changed it, not that its claims are true';

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
