import { basename } from 'node:path';
import { inForm } from '../../brand/profile/finding-words.ts';
import { loadProfile } from '../../brand/profile/profile.ts';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { changeLines, changesBetween } from '../../owner/changes.ts';
import { checkProfile, type Finding } from '../../owner/check-profile.ts';
import { headingOf, nearestHeading } from '../../owner/columns.ts';
import { commandWords } from '../../owner/command-words.ts';
import { createFile, READABLE, readOwnFile, writeOwnFile } from '../../owner/files.ts';
import { findingPlace, findingText } from '../../owner/finding-lines.ts';
import { mergeInto } from '../../owner/merge.ts';
import { neverPublishBeside } from '../../owner/never-publish.ts';
import { EXAMPLE_CLAIM } from '../../owner/new-profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { ownCommand, quoted } from '../../owner/own-command.ts';
import { readDocument } from '../../owner/own-document.ts';
import { readSheet, type Sheet, writeSheet } from '../../owner/sheet.ts';
import { SheetError, sheetWords } from '../../owner/words.ts';

interface ImportOptions {
  /** The profile that takes the claims. */
  readonly brand: string;
  /** Claims and proofs that the file does not have are dropped. */
  readonly replace?: boolean;
  /** Says what would happen, and writes nothing. */
  readonly dryRun?: boolean;
  readonly now?: Date;
}

/** A sheet of 20,000 claims is about 14 MB. */
const MAX_SHEET_BYTES = 32 * 1024 * 1024;

/** As many faults, and as many warnings, are named; the rest is counted. */
const MAX_LINES = 100;

/**
 * `aval import FILE.csv`: puts the claims and proofs of a sheet into a profile, keeps ids, and names every fault by row and column
 * in the profile's language. What the sheet does not say is missing: nothing is invented. It tells what it changes or drops, with
 * what it was. 1 where anything is at fault: then nothing is written. A profile that changed is not signed any more.
 * @throws Error for a file that cannot be read, DocumentError for the profile
 */
export async function importClaims(
  file: string,
  options: ImportOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand, replace, dryRun = false, now = new Date() } = options;
  const { document: before, language } = readDocument(await readOwnFile(brand), brand);
  const { say, count } = commandWords(language);
  const sheet = await readSheetFile(file, language);
  const { document, ...counts } = mergeInto(before, sheet, {
    replace,
    isExample: id => id.startsWith(EXAMPLE_CLAIM),
  });
  const changes = changesBetween(before, document);
  const { signatures: _, ...unsigned } = { signatures: undefined, ...document };
  const text = `${JSON.stringify(changes.length > 0 ? unsigned : document, null, 2)}\n`;
  const neverPublish = await neverPublishBeside(brand);
  const report = await checkProfile(new TextEncoder().encode(text), { now, neverPublish });
  const said = (kind: 'fault' | 'warning', finding: Finding) =>
    [basename(file), say(kind), ...placed(finding, sheet, language), spoken(brand, finding, language)].join(
      ': ',
    );
  const spoiled = sheet.faults.map(({ row, heading, ...fault }) => {
    const place = [say('row', row), heading && JSON.stringify(heading)].filter(Boolean).join(', ');
    return [basename(file), say('fault'), place, sheetWords(fault, language)].join(': ');
  });
  const faults = [...spoiled, ...report.faults.filter(isOfSheet).map(finding => said('fault', finding))];
  const warnings = report.warnings.filter(isOfSheet);
  const touched = new Set(changes.flatMap(({ part, kind }) => (kind === 'removed' ? [] : [part])));
  const fresh = warnings.filter(({ claim_id, proof_id }) =>
    touched.has(claim_id === undefined ? `proof ${proof_id}` : `claim ${claim_id}`),
  );
  const isWritten = !dryRun && faults.length === 0 && changes.length > 0;
  if (isWritten) await writeOwnFile(brand, text);
  const shown = (lines: readonly string[]) =>
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), say('more', lines.length - MAX_LINES)] : lines;
  writeLines(stdout, [...shown(faults), ...shown(fresh.map(finding => said('warning', finding)))]);
  const aval = ownCommand().here;
  const [own, old] = [quoted(brand), warnings.length - fresh.length];
  const { added, changed, absent, named } = counts;
  const size = `${count(sheet.claims.length, 'claim')} (${say('counts', added, changed, sheet.claims.length - added - changed)})`;
  const outcome = () => {
    if (dryRun) return say('dry_run');
    if (faults.length > 0) return say('mend', file);
    return isWritten ? say('next', `${aval} check ${own}`, `${aval} sign ${own}`) : say('same');
  };
  writeLines(stderr, [
    ...(sheet.isWindows ? [[basename(file), say('warning'), say('windows')].join(': ')] : []),
    ...sheet.unknown.map(heading => {
      const near = nearestHeading(heading, language);
      const passed = near ? say('meant_column', heading, near) : say('unknown_column', heading);
      return [basename(file), say('warning'), passed].join(': ');
    }),
    // A claim of aval init gives way without a word.
    ...changeLines(
      changes.filter(({ kind, part }) => kind !== 'added' && !part.startsWith(`claim ${EXAMPLE_CLAIM}`)),
      language,
      (part, path) =>
        headingOf(part === 'claim' ? 'claim' : 'proof', path, { written: sheet.headings, language }),
    ),
    `${file}: ${size}, ${count(sheet.proofs.length, 'proof')}, ${count(faults.length, 'fault')}`,
    ...(old > 0 ? [say('old', count(old, 'warning'), `${aval} check ${own}`)] : []),
    ...(named > 0 ? [say('named', count(named, 'id'), `${aval} export claims.csv --brand ${own}`)] : []),
    ...(absent.length > 0 && !replace ? [say('absent', absent.join(', '))] : []),
    outcome(),
  ]);
  return faults.length > 0 ? 1 : 0;
}

async function readSheetFile(file: string, language: string): Promise<Sheet> {
  const bytes = await readBounded(file, MAX_SHEET_BYTES);
  try {
    return readSheet(bytes, language);
  } catch (error) {
    throw error instanceof SheetError
      ? new Error(`${file}: ${sheetWords(error.fault, language)}`, { cause: error })
      : error;
  }
}

/** Row, claim and column where a finding is mended; for a part that the sheet does not have, its place in the profile. */
function placed(finding: Finding, sheet: Sheet, language: string): string[] {
  const { path, claim_id, proof_id } = finding;
  const [, list, position = '', member = ''] = /^(claims|proofs)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const row = (list === 'claims' ? sheet.claims : sheet.proofs)[Number(position)]?.row;
  if (row === undefined) return [findingPlace(finding, language)];
  const part = list === 'claims' ? 'claim' : 'proof';
  const label = headingOf(part, member, { written: sheet.headings, language }) ?? member;
  return [[commandWords(language).say('row', row), claim_id ?? proof_id, label].filter(Boolean).join(', ')];
}

const spoken = (brand: string, { found, ...finding }: Finding, language: string) =>
  findingText(brand, { ...finding, ...(found && { found: inForm(found, 'missing_cell') }) }, language);

/** A signature and an expiry are no matter of a sheet. */
const isOfSheet = ({ path }: Finding) => /^(?:claims|proofs)\b/.test(path);

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
  writeLines(stderr, [
    `${file}: ${count(profile.claims.length, 'claim')}, ${count(profile.proofs.length, 'proof')}`,
  ]);
  return 0;
}
