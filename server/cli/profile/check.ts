import type { Embedder } from '../../../brand/embedding/embedder.ts';
import { duplicateWarnings, profileWarnings } from '../../../brand/embedding/warnings.ts';
import { type Fault, renderFault } from '../../../brand/profile/fault.ts';
import { type LoadedProfile, loadProfile, ProfileError } from '../../../brand/profile/profile.ts';
import { timeReasons } from '../../../brand/trust/verify-profile.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../terminal/output.ts';

interface CheckOptions {
  readonly json?: boolean;
  readonly now?: Date;
  /** Finds claims that say the same; without one they are not looked for. */
  readonly embedder?: Embedder | undefined;
}

interface Report {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly loaded?: LoadedProfile;
}

/** `aval check FILE`: every fault with its path and its fix, and what is allowed but seldom meant. 1 when there is a fault. */
export async function check(file: string, options: CheckOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const report = await examine(file, options);
  if (options.json) writeJson(stdout, asJson(file, report));
  else {
    writeLines(stdout, [...report.faults.map(line('fault')), ...report.warnings.map(line('warning'))]);
    writeLines(stderr, [summary(file, report)]);
  }
  return report.faults.length > 0 ? 1 : 0;
}

async function examine(file: string, { embedder, now = new Date() }: CheckOptions): Promise<Report> {
  try {
    const loaded = await loadProfile(file);
    const expired = timeReasons(loaded.profile, now).filter(reason => reason.code === 'expired');
    const duplicates = embedder ? await duplicateWarnings(loaded.profile, embedder) : [];
    const warnings = expired.length > 0 ? [] : profileWarnings(loaded, now);
    return { faults: expired, warnings: [...warnings, ...duplicates], loaded };
  } catch (error) {
    if (error instanceof ProfileError) return { faults: error.faults, warnings: [] };
    throw error;
  }
}

function line(kind: string) {
  return (fault: Fault) => `${kind}  ${renderFault(fault)}${fault.fix === undefined ? '' : ` (${fault.fix})`}`;
}

function summary(file: string, { faults, warnings, loaded }: Report): string {
  const counts = `${faults.length} faults, ${warnings.length} warnings`;
  if (!loaded) return `${file}: ${counts}`;
  const { claims, proofs } = loaded.profile;
  return `${file}: ${claims.length} claims, ${proofs.length} proofs, ${counts}`;
}

function asJson(file: string, { faults, warnings, loaded }: Report): object {
  const { profile, digest, signed } = loaded ?? {};
  const size = profile && { claims: profile.claims.length, proofs: profile.proofs.length };
  return { file, ok: faults.length === 0, faults, warnings, digest, signed, ...size };
}
