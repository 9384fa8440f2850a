import { basename } from 'node:path';
import { loadProfile } from '../../brand/profile/profile.ts';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { readJson } from '../../brand/profile/strict-json.ts';
import { changeLines, changesBetween, type PartChanges } from '../../owner/changes.ts';
import { checkProfile, type Finding } from '../../owner/check-profile.ts';
import { readNeverPublish } from '../../owner/checks.ts';
import { type Headings, headingsOf, nearestHeading } from '../../owner/columns.ts';
import { createFile, READABLE, readOwnFile, writeOwnFile } from '../../owner/files.ts';
import { findingLines, findingPlace, findingText } from '../../owner/finding-lines.ts';
import { valueAt } from '../../owner/member.ts';
import { type Merged, mergeInto } from '../../owner/merge.ts';
import { EXAMPLE_CLAIM } from '../../owner/new-profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { ownCommand, quoted } from '../../owner/own-command.ts';
import { readSheet, type Sheet, SheetError, writeSheet } from '../../owner/sheet.ts';
import { countText } from '../../tools/words/counts.ts';

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
 * `aval csv import FILE.csv`: puts the claims, questions and proofs of a sheet into a profile, keeps ids, and
 * names every fault by row and column. What the sheet does not say is missing: nothing is invented. It tells
 * what it changes or drops, with what it was. 1 where anything is at fault: then nothing is written. A
 * profile that changed is not signed any more.
 * @throws Error for a file that cannot be read, or a profile that is not JSON
 */
export async function importClaims(
  file: string,
  options: ImportOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand, replace, dryRun = false, now = new Date() } = options;
  const before = readDraft(await readOwnFile(brand), brand);
  const language = String(valueAt(before, ['language']) ?? 'es');
  const sheet = await readSheetFile(file);
  const isExample = (id: string) => id.startsWith(EXAMPLE_CLAIM);
  const merged = mergeInto(before, sheet, { replace, isExample });
  const changes = changesBetween(before, merged.document);
  const { signatures: _, ...unsigned } = merged.document;
  const text = `${JSON.stringify(changes.length > 0 ? unsigned : merged.document, null, 2)}\n`;
  const neverPublish = await readNeverPublish(brand);
  const report = await checkProfile(new TextEncoder().encode(text), { now, neverPublish });
  const headings = { written: sheet.headings, language };
  const line = (kind: string, finding: Finding) => {
    const place = placeInSheet(finding, sheet, headings);
    return `${basename(file)}: ${kind}: ${place}: ${findingText(brand, inCell(finding))}`;
  };
  const faults = [
    ...sheet.faults.map(
      ({ row, heading, message }) =>
        `${basename(file)}: fault: row ${row}${heading && `, "${heading}"`}: ${message}`,
    ),
    ...report.faults.filter(isOfSheet).map(finding => line('fault', finding)),
  ];
  const warnings = report.warnings.filter(isOfSheet);
  const fresh = warnings.filter(finding => isTouched(finding, changes));
  const isWritten = !dryRun && faults.length === 0 && changes.length > 0;
  if (isWritten) await writeOwnFile(brand, text);
  writeLines(stdout, [...shortened(faults), ...shortened(fresh.map(finding => line('warning', finding)))]);
  const check = `${ownCommand().here} check ${quoted(brand)}`;
  const sign = `${ownCommand().here} sign ${quoted(brand)}`;
  writeLines(stderr, [
    ...headingLines(file, sheet, language),
    ...changeLines(shownChanges(changes), (part, path) =>
      part === 'claim' || part === 'proof' ? headingsOf(part, path, headings) : undefined,
    ),
    ...countLines(file, { sheet, merged, faults: faults.length }),
  ]);
  if (warnings.length > fresh.length)
    writeLines(stderr, [
      `${countText(warnings.length - fresh.length, 'warning')} on what did not change: ${check}`,
    ]);
  if (merged.named > 0)
    writeLines(stderr, [
      `${countText(merged.named, 'id')} made from the words; ` +
        'to change the words later, work on in a file that has the ids: ' +
        `${ownCommand().here} csv export claims.csv --brand ${quoted(brand)}`,
    ]);
  if (merged.absent.length > 0 && !replace)
    writeLines(stderr, [
      `Kept, though the file does not have them: ${merged.absent.join(', ')} (--replace drops them)`,
    ]);
  const outcome = () => {
    if (dryRun) return 'Nothing was written (--dry-run).';
    if (faults.length > 0) return `Nothing was written. Mend the faults in ${file} and import it again.`;
    return isWritten
      ? `The profile is not signed now. Next: ${check}, then ${sign}`
      : 'Nothing changed, so nothing was written.';
  };
  writeLines(stderr, [outcome()]);
  return faults.length > 0 ? 1 : 0;
}

/** A profile in any state but broken JSON. @throws Error with the lines of the faults */
function readDraft(bytes: Uint8Array, file: string): unknown {
  const { value, faults } = readJson(bytes);
  if (faults.length > 0) throw new Error(findingLines(file, { faults, warnings: [] }).join('\n'));
  return value;
}

async function readSheetFile(file: string): Promise<Sheet> {
  const bytes = await readBounded(file, MAX_SHEET_BYTES);
  try {
    return readSheet(bytes);
  } catch (error) {
    throw error instanceof SheetError ? new Error(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * What changed of parts that were there. A claim is added with its questions, and one of `aval init` gives
 * way, without a word.
 */
function shownChanges(changes: readonly PartChanges[]): PartChanges[] {
  const added = new Set(changes.filter(({ kind }) => kind === 'added').map(({ part }) => part));
  const isQuiet = (part: string) => added.has(part) || part.split(' ')[1]?.startsWith(EXAMPLE_CLAIM) === true;
  return changes.flatMap(change => {
    if (isQuiet(change.part)) return [];
    if (change.part !== 'questions') return [change];
    const shown = change.changes.filter(({ path }) => !isQuiet(`claim ${path}`));
    return shown.length === 0 ? [] : [{ ...change, changes: shown }];
  });
}

function isTouched({ claim_id, proof_id }: Finding, changes: readonly PartChanges[]): boolean {
  const part = claim_id === undefined ? `proof ${proof_id}` : `claim ${claim_id}`;
  return changes.some(change => change.part === part && change.kind !== 'removed');
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`];
}

/** Headings that are not known, and letters that may be wrong. */
function headingLines(file: string, { isWindows, unknown }: Sheet, language: string): string[] {
  const windows =
    `${basename(file)}: warning: is not UTF-8 and was read as a CSV of Windows: ` +
    'look whether its accents are right';
  return [
    ...(isWindows ? [windows] : []),
    ...unknown.map(heading => {
      const near = nearestHeading(heading, language);
      const meant = near === undefined ? '' : `; did you mean "${near}"?`;
      return (
        `${basename(file)}: warning: the column "${heading}" is passed over: ` +
        `its heading is not known${meant}`
      );
    }),
  ];
}

interface Counts {
  readonly sheet: Sheet;
  readonly merged: Merged;
  readonly faults: number;
}

function countLines(file: string, { sheet, merged: { added, changed }, faults }: Counts): string[] {
  const { claims, proofs } = sheet;
  const questions = claims.flatMap(row => Object.values(row.questions).flat()).length;
  return [
    `${file}: ${countText(claims.length, 'claim')} ` +
      `(${added} new, ${changed} changed, ${claims.length - added - changed} as before), ` +
      `${countText(questions, 'question')}, ${countText(proofs.length, 'proof')}, ${countText(faults, 'fault')}`,
  ];
}

/**
 * Row, claim and column where a finding is mended; for a part that the sheet does not have, its place in the
 * profile.
 */
function placeInSheet(finding: Finding, sheet: Sheet, headings: Headings): string {
  const { path, claim_id, proof_id } = finding;
  const [, list, position = '', member = ''] = /^(claims|proofs)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const row = (list === 'claims' ? sheet.claims : sheet.proofs)[Number(position)]?.row;
  if (row === undefined || list === undefined) return findingPlace(finding);
  const heading = headingsOf(list === 'claims' ? 'claim' : 'proof', member, headings) ?? member;
  return [`row ${row}`, claim_id ?? proof_id, heading].filter(Boolean).join(', ');
}

/** Whoever fills in a cell writes no JSON. */
const inCell = (finding: Finding): Finding =>
  finding.code === 'missing' ? { ...finding, fix: 'fill in the cell' } : finding;

/** A signature and an expiry are no matter of a sheet. */
const isOfSheet = ({ path }: Finding) => /^(?:claims|proofs|questions)\[/.test(path);

/**
 * `aval csv export FILE.csv`: the claims, questions and proofs of a profile as a spreadsheet of its language
 * opens them, and as `aval csv import` reads them again.
 * @throws ProfileError for a profile with faults, Error for a file that is there
 */
export async function exportClaims(
  file: string,
  { brand, force }: { readonly brand: string; readonly force?: boolean },
  { stderr }: Output,
): Promise<ExitCode> {
  const { profile } = await loadProfile(brand);
  const { claims, proofs, questions = [], language } = profile;
  await createFile(file, writeSheet({ claims, proofs, questions, language }), { mode: READABLE, force });
  const counts = [
    countText(claims.length, 'claim'),
    countText(questions.length, 'question'),
    countText(proofs.length, 'proof'),
  ];
  writeLines(stderr, [`${file}: ${counts.join(', ')}`]);
  return 0;
}
