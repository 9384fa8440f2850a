import { readCell, writeCell } from './cell.ts';
import { type Column, columnOf, headingOf, sheetColumns } from './columns.ts';
import { readTable, SheetError, writeTable } from './csv.ts';
import type { Draft } from './draft.ts';
import { valueAt } from './positions.ts';

/** A claim or a proof of a sheet, complete or not. */
export interface Row {
  /** Values by column, without empty cells. */
  readonly cells: ReadonlyMap<Column, unknown>;
  /** Row number as in a spreadsheet: the headings are row 1. */
  readonly row: number;
}

/** The content of a sheet, in its order. */
export interface Sheet {
  readonly claims: readonly Row[];
  readonly proofs: readonly Row[];
  /** Columns with their headings as written. An empty cell in one of them removes the value. */
  readonly columns: ReadonlyMap<Column, string>;
  /** Cells with a fault. */
  readonly faults: readonly { readonly row: number; readonly heading: string; readonly message: string }[];
  /** Unknown headings, which are ignored. */
  readonly unknown: readonly string[];
  /** The file is in the letters of Windows, as Excel saves "CSV" without "UTF-8". */
  readonly isWindows: boolean;
}

/**
 * Reads a CSV with the headings of columns.ts and any separator. A row has a claim, a proof, or a claim with
 * its proof.
 * @throws SheetError if it cannot be read
 */
export function readSheet(bytes: Uint8Array): Sheet {
  const { rows, isWindows } = readTable(bytes);
  const [headings = [], ...lines] = rows;
  const resolved = headings.map(columnOf);
  refuseHeadings(headings, resolved);
  const claims: Row[] = [];
  const proofs: Row[] = [];
  const faults: Sheet['faults'][number][] = [];
  const proofsBefore = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const row = index + 2;
    const claim = new Map<Column, unknown>();
    const proof = new Map<Column, unknown>();
    for (const [place, column] of resolved.entries()) {
      if (!column) continue;
      const { value, fault } = readCell(line[place] ?? '', column);
      if (fault !== undefined) faults.push({ row, heading: headings[place] ?? '', message: fault });
      if (value !== undefined) (column.part === 'claim' ? claim : proof).set(column, value);
    }
    const proofId = [...proof].find(([column]) => column === PROOF_ID)?.[1];
    const isName = claim.size > 0 && proof.size === 1 && proofId !== undefined;
    const copy = JSON.stringify([...proof.values()]);
    // A proof that is copied to further rows counts once.
    if (proof.size > 0 && !isName && !proofsBefore.has(copy)) proofs.push({ cells: proof, row });
    proofsBefore.add(copy);
    if (claim.size === 0) continue;
    const ids = (claim.get(PROOF_IDS) ?? []) as readonly unknown[];
    if (proofId !== undefined && !ids.includes(proofId)) claim.set(PROOF_IDS, [...ids, proofId]);
    claims.push({ cells: claim, row });
  }
  return {
    claims,
    proofs,
    columns: new Map(resolved.flatMap((column, place) => (column ? [[column, headings[place] ?? '']] : []))),
    faults,
    unknown: headings.filter((heading, place) => heading.trim() !== '' && !resolved[place]),
    isWindows,
  };
}

const PROOF_ID = columnOf('proof id')!;
const PROOF_IDS = columnOf('proof ids')!;

function refuseHeadings(headings: readonly string[], columns: readonly (Column | undefined)[]): void {
  const positions = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (!column) continue;
    const path = column.path.join('.').toLowerCase();
    const earlier = positions.get(path);
    if (earlier !== undefined)
      throw new SheetError(
        `the columns "${headings[earlier]}" and "${headings[index]}" mean the same: keep one`,
      );
    positions.set(path, index);
  }
  if (positions.size === 0)
    throw new SheetError(
      'the first row has none of the headings: write at least "statement", "applies to" and ' +
        '"does not apply to"; aval csv export writes a sheet to start from',
    );
}

/**
 * Writes the claims of a profile with their questions, then its proofs, one a row. A Spanish profile gets
 * Spanish headings, semicolons and decimal commas.
 */
export function writeSheet({ claims, proofs, language }: Draft): string {
  const columns = sheetColumns(
    new Set(['es', 'en', ...claims.flatMap(({ questions }) => Object.keys(Object(questions)))]),
  );
  const rowsOf = (parts: readonly object[], part: Column['part']) =>
    parts.map(members =>
      columns.map(column =>
        column.part === part ? writeCell(valueAt(members, column.path), column, language) : '',
      ),
    );
  const headings = columns.map(column => headingOf(column, language));
  return writeTable([headings, ...rowsOf(claims, 'claim'), ...rowsOf(proofs, 'proof')], language);
}
