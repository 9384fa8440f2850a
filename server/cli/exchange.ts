import { basename } from 'node:path';
import { loadProfile } from '../../brand/profile/profile.ts';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { readJson } from '../../brand/profile/strict-json.ts';
import { checkProfile, type Finding, findingLines } from '../../owner/check-profile.ts';
import { headingsAt } from '../../owner/columns.ts';
import { SheetError } from '../../owner/csv.ts';
import { draftOf, withDraft } from '../../owner/draft.ts';
import { createFile, READABLE, readPlainFile, replaceFile } from '../../owner/files.ts';
import { type Merged, mergeSheet } from '../../owner/merge.ts';
import { commandLine, type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { readNeverPublish } from '../../owner/personal-data.ts';
import { readSheet, type Sheet, writeSheet } from '../../owner/sheet.ts';
import { countText } from '../../tools/words/counts.ts';

interface ImportOptions {
  /** The profile that takes the claims. */
  readonly brand: string;
  /** Claims and proofs that the file does not have are dropped. */
  readonly replace?: boolean;
  readonly now?: Date;
}

/** A sheet of 20,000 claims is about 14 MB. */
const MAX_SHEET_BYTES = 32 * 1024 * 1024;

/**
 * `aval csv import FILE.csv`: puts the claims, questions and proofs of a sheet into a profile and keeps ids.
 * It invents nothing. It prints each change with the old value, and each fault with row and column. Exit code
 * 1 for a fault: then it writes nothing. A changed profile loses its signature.
 * @throws Error for a file that cannot be read, for a profile that is not JSON or that changed meanwhile
 */
export async function importClaims(
  file: string,
  { brand, replace, now = new Date() }: ImportOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const bytes = await readPlainFile(brand);
  const { value: document, faults: syntaxFaults } = readJson(bytes);
  if (syntaxFaults.length > 0)
    throw new Error(findingLines(brand, { faults: syntaxFaults, warnings: [] }).join('\n'));
  const profile = draftOf(document);
  const sheet = await readSheetFile(file);
  const merged = mergeSheet(profile, sheet, replace);
  const { signatures: _, ...unsigned } = withDraft(document, merged.draft);
  const text = `${JSON.stringify(unsigned, null, 2)}\n`;
  const { faults } = await checkProfile(new TextEncoder().encode(text), {
    now,
    neverPublish: await readNeverPublish(brand),
  });
  const faultLines = [
    ...sheet.faults.map(({ row, heading, message }) => `row ${row}, "${heading}": ${message}`),
    ...faults.filter(isOfSheet).map(finding => sheetFault(finding, sheet, profile.language)),
  ];
  writeLines(
    stdout,
    faultLines.map(fault => `${basename(file)}: fault: ${fault}`),
  );
  writeLines(stderr, [
    ...headingLines(file, sheet),
    ...merged.claims.changes,
    ...merged.proofs.changes,
    ...countLines(file, sheet, merged, faultLines.length),
  ]);
  if (faultLines.length > 0) {
    writeLines(stderr, [`Nothing was written. Mend the faults in ${file} and import it again.`]);
    return 1;
  }
  if (JSON.stringify(merged.draft) === JSON.stringify(profile)) {
    writeLines(stderr, ['Nothing changed, so nothing was written.']);
    return 0;
  }
  await replaceFile(brand, text, { replaces: bytes });
  const next = `${commandLine('check', brand)}, then ${commandLine('sign', brand)}`;
  writeLines(stderr, [`The profile is not signed now. Next: ${next}`]);
  return 0;
}

async function readSheetFile(file: string): Promise<Sheet> {
  const bytes = await readBounded(file, MAX_SHEET_BYTES);
  try {
    return readSheet(bytes);
  } catch (error) {
    throw error instanceof SheetError ? new Error(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

/** Warnings about unknown headings and about a wrong character set. */
function headingLines(file: string, { isWindows, unknown }: Sheet): string[] {
  const windows = 'is not UTF-8 and was read as a CSV of Windows: look whether its accents are right';
  const lines = unknown.map(heading => `the column "${heading}" is passed over: its heading is not known`);
  if (isWindows) lines.push(windows);
  return lines.map(line => `${basename(file)}: warning: ${line}`);
}

function countLines(file: string, sheet: Sheet, { claims, draft }: Merged, faults: number): string[] {
  const questions = draft.claims.flatMap(claim => Object.values(Object(claim.questions)).flat());
  const asBefore = sheet.claims.length - claims.added - claims.changed;
  const lines = [
    `${file}: ${countText(sheet.claims.length, 'claim')} ` +
      `(${claims.added} new, ${claims.changed} changed, ${asBefore} as before), ` +
      `${countText(questions.length, 'question')}, ${countText(sheet.proofs.length, 'proof')}, ` +
      `${countText(faults, 'fault')}`,
  ];
  if (claims.absent.length > 0)
    lines.push(
      `Kept, though the file does not have them: ${claims.absent.join(', ')} (--replace drops them)`,
    );
  return lines;
}

/**
 * Signature and expiry are not in a sheet, so their faults do not count. A profile that is too large has no
 * other fault.
 */
const isOfSheet = ({ path, code }: Finding) =>
  code === 'too_many_bytes' || /^(?:claims|proofs|questions)(?:\[|$)/.test(path);

/** Row, claim and column of a fault. A part that is not in the sheet has its path in the profile. */
function sheetFault(finding: Finding, sheet: Sheet, language: string): string {
  const { path, name, code, message, fix } = finding;
  // Authors of a sheet write no JSON.
  const words = `${message} (${code === 'missing' ? 'fill in the cell' : fix})`;
  const [, list, position = '', member = ''] = /^(claims|proofs)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const part = list === 'claims' ? 'claim' : 'proof';
  const row = sheet[list === 'claims' ? 'claims' : 'proofs'][Number(position)]?.row;
  if (list === undefined || row === undefined) return `${name ?? (path || 'the profile')}: ${words}`;
  const headings = headingsAt(part, member, sheet.columns, language);
  return `${[`row ${row}`, name, headings].filter(Boolean).join(', ')}: ${words}`;
}

/**
 * `aval csv export FILE.csv`: writes the claims, questions and proofs of a profile as a sheet, which a
 * spreadsheet of its language opens and `aval csv import` reads.
 * @throws ProfileError for a profile with faults, Error if the file exists
 */
export async function exportClaims(
  file: string,
  { brand }: { readonly brand: string },
  { stderr }: Output,
): Promise<ExitCode> {
  const { profile } = await loadProfile(brand);
  const { claims, proofs, questions = [] } = profile;
  await createFile(file, writeSheet(draftOf(profile)), READABLE);
  const counts = [
    countText(claims.length, 'claim'),
    countText(questions.length, 'question'),
    countText(proofs.length, 'proof'),
  ];
  writeLines(stderr, [`${file}: ${counts.join(', ')}`]);
  return 0;
}
