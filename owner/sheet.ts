import { readCell, writeCell } from './cell.ts';
import { type Column, columnOf, headingOf, sheetColumns } from './columns.ts';
import { readTable, SheetError, writeTable } from './csv.ts';
import type { Draft, Members } from './draft.ts';
import { valueAt, withValue } from './paths.ts';

/** A claim or a proof of a sheet, complete or not. */
export interface Row {
  /** Members by the paths of their columns, without empty cells. */
  readonly members: Members;
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
    const parts: Record<Column['part'], Members> = { claim: {}, proof: {} };
    for (const [place, column] of resolved.entries()) {
      if (!column) continue;
      const { value, fault } = readCell(line[place] ?? '', column);
      if (fault !== undefined) faults.push({ row, heading: headings[place] ?? '', message: fault });
      if (value !== undefined) parts[column.part] = withValue(parts[column.part], column.path, value);
    }
    const { claim, proof } = parts;
    const { proof_id: proofId } = proof;
    const hasClaim = Object.keys(claim).length > 0;
    const isName = hasClaim && proofId !== undefined && Object.keys(proof).length === 1;
    const copy = JSON.stringify(proof);
    // A proof that is copied to further rows counts once.
    if (Object.keys(proof).length > 0 && !isName && !proofsBefore.has(copy))
      proofs.push({ members: proof, row });
    proofsBefore.add(copy);
    if (!hasClaim) continue;
    const proofIds: readonly unknown[] = Array.isArray(claim.proof_ids) ? claim.proof_ids : [];
    const isNew = proofId !== undefined && !proofIds.includes(proofId);
    claims.push({ members: isNew ? { ...claim, proof_ids: [...proofIds, proofId] } : claim, row });
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

function refuseHeadings(headings: readonly string[], columns: readonly (Column | undefined)[]): void {
  const headingOfColumn = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    if (!column) continue;
    const heading = headings[index] ?? '';
    const earlier = headingOfColumn.get(column.en);
    if (earlier !== undefined)
      throw new SheetError(`the columns "${earlier}" and "${heading}" mean the same: keep one`);
    headingOfColumn.set(column.en, heading);
  }
  if (headingOfColumn.size === 0)
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
    new Set(['es', 'en', ...claims.flatMap(({ questions }) => Object.keys(questions ?? {}))]),
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
