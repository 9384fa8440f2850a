import { loadProfile } from '../../brand/profile/profile.ts';
import { commandWords } from '../../owner/command-words.ts';
import { createFile, READABLE } from '../../owner/files.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { writeSheet } from '../../owner/sheet.ts';

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
  const { count } = commandWords(profile.language);
  writeLines(stderr, [`${file}: ${count(profile.claims.length, 'claim')}, ${count(profile.proofs.length, 'proof')}`]);
  return 0;
}
