import { loadProfile } from '../../brand/profile/profile.ts';
import { createFile, READABLE } from '../../owner/files.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { writeSheet } from '../../owner/sheet.ts';
import { counted } from '../../tools/words/counts.ts';

/**
 * `aval export FILE.csv`: the claims and proofs of a profile as a spreadsheet of its language opens them, and as `aval import` reads
 * them again.
 * @throws ProfileError for a profile with faults, Error for a file that is there
 */
export async function exportClaims(
  file: string,
  { brand, force }: { readonly brand: string; readonly force?: boolean },
  { stderr }: Output,
): Promise<ExitCode> {
  const { profile } = await loadProfile(brand);
  await createFile(file, writeSheet(profile), { mode: READABLE, force });
  const [claims, proofs] = [counted(profile.claims.length, 'claim'), counted(profile.proofs.length, 'proof')];
  writeLines(stderr, [`${file}: ${claims}, ${proofs}`]);
  return 0;
}
