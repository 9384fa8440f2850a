import { type CellValue, readCell, writeCell } from './cell.ts';
import { COLUMNS, type Column, choicesOf, columnOf, isSpanish, plain, valueAt } from './columns.ts';
import { isMarkHeading, markOf, newExport } from './export-mark.ts';
import { ExchangeError, type Exported, type Imported, type ImportedPart } from './imported.ts';

/** A sheet: its headings, and rows of cells with the place of each. */
export interface Sheet {
  /** Empty where there is but one. */
  readonly name: string;
  readonly headings: readonly CellValue[];
  readonly rows: readonly { readonly cells: readonly CellValue[]; readonly place: string }[];
}

/**
 * Reads sheets whose headings are those of COLUMNS. A row with a cell of a claim is a claim, one with a cell of a proof is a
 * proof, and one with both is a claim that this proof stands behind.
 * @throws ExchangeError where no heading is known, or one stands twice
 */
export function readSheets(sheets: readonly Sheet[]): Imported {
  const read = sheets
    .filter(({ headings }) => headings.some(heading => String(heading ?? '').trim() !== ''))
    .map(readSheet);
  if (read.every(({ known }) => known.length === 0)) throw new ExchangeError(NO_HEADINGS);
  return {
    claims: read.flatMap(({ claims }) => claims),
    proofs: read.flatMap(({ proofs }) => proofs),
    known: [...new Set(read.flatMap(({ known }) => known))],
    faults: read.flatMap(({ faults }) => faults),
    notes: read.flatMap(({ notes }) => notes),
  };
}

const NO_HEADINGS =
  'the first row has none of the headings: write at least "statement", "applies to" and "does not apply to" (afirmación, se aplica a, no se aplica a); aval init --from csv writes a sheet to start from';

function readSheet({ name, headings, rows }: Sheet): Imported {
  const columns = resolve(headings);
  const marked = headings.findIndex(heading => isMarkHeading(plain(String(heading ?? ''))));
  const where = name === '' ? '' : `sheet ${name}, `;
  const parts = { claims: [] as ImportedPart[], proofs: [] as ImportedPart[] };
  const faults: string[] = [];
  for (const { cells, place } of rows) {
    const row = { claim: {}, proof: {} };
    for (const [at, column] of columns) {
      const { value, fault } = readCell(cells[at], column);
      if (fault !== undefined) faults.push(`${where}${place}, ${headings[at]}: ${fault}`);
      if (value !== undefined) put(row[column.part], column.path, value);
    }
    const mark = marked < 0 ? '' : String(cells[marked] ?? '').trim();
    addRow(parts, row, { place: `${where}${place}`, ...(mark !== '' && { mark }) });
  }
  const unknown = headings.filter(
    (heading, at) => String(heading ?? '').trim() !== '' && !columns.has(at) && at !== marked,
  );
  const notes = unknown.map(heading => `${where}the column "${heading}" is passed over: its heading is not known`);
  return { ...parts, known: [...columns.values()].map(({ path }) => path.join('.')), faults, notes };
}

/** Position to column. "Id" heads the claims, or the proofs of a sheet that has no statements. */
function resolve(headings: readonly CellValue[]): Map<number, Column> {
  const names = headings.map(heading => plain(String(heading ?? '')));
  const ofProofs = !names.some(name => columnOf(name)?.path[0] === 'statement');
  const columns = new Map<number, Column>();
  for (const [at, name] of names.entries()) {
    const column = columnOf(ofProofs && name === 'id' ? 'proof id' : name);
    if (!column) continue;
    const first = [...columns].find(([, other]) => other === column)?.[0];
    if (first !== undefined)
      throw new ExchangeError(`the columns "${headings[first]}" and "${headings[at]}" mean the same: keep one`);
    columns.set(at, column);
  }
  return columns;
}

type Members = Record<string, unknown>;

function addRow(
  parts: Record<'claims' | 'proofs', ImportedPart[]>,
  row: { claim: Members; proof: Members },
  from: Pick<ImportedPart, 'place' | 'mark'>,
): void {
  const { claim, proof } = row;
  const [hasClaim, hasProof] = [Object.keys(claim).length > 0, Object.keys(proof).length > 0];
  if (hasProof) parts.proofs.push({ members: proof, ...from });
  if (hasClaim && hasProof && typeof proof.proof_id === 'string') link(claim, proof.proof_id);
  if (hasClaim) parts.claims.push({ members: claim, ...from });
}

/** A proof in the row of a claim stands behind it. */
function link(claim: Members, proofId: string): void {
  const ids = Array.isArray(claim.proof_ids) ? claim.proof_ids : [];
  claim.proof_ids = ids.includes(proofId) ? ids : [...ids, proofId];
}

function put(members: Members, [name, ...rest]: readonly [string, ...string[]], value: unknown): void {
  const [next, ...others] = rest;
  if (next === undefined) members[name] = value;
  else {
    const inner: Members = { ...Object(members[name]) };
    put(inner, [next, ...others], value);
    members[name] = inner;
  }
}

/** The parts of a profile as rows under the headings of COLUMNS: the claims first, then the proofs. */
export function writeRows(parts: readonly object[], part: Column['part'], language = 'en'): string[][] {
  return parts.map(members =>
    COLUMNS.map(column => (column.part === part ? localCell(valueAt(members, column.path), column, language) : '')),
  );
}

/** A cell as a sheet of that language shows it: Spanish words and decimal commas, which import reads as well. */
function localCell(value: unknown, column: Column, language: string): string {
  if (isSpanish(language) && typeof value === 'number') return writeCell(value).replace('.', ',');
  const choice = choicesOf(column, 'en').indexOf(String(value));
  return choicesOf(column, language)[choice] ?? writeCell(value);
}

/** The same rows in the language of the profile, each with the mark of this export as its last cell. */
export function markedRows({ claims, proofs, language }: Exported): Record<Column['part'], string[][]> {
  const exported = newExport();
  const rowsOf = (parts: readonly object[], part: Column['part']) =>
    writeRows(parts, part, language).map((row, at) => [...row, markOf(parts[at] ?? {}, part, exported)]);
  return { claim: rowsOf(claims, 'claim'), proof: rowsOf(proofs, 'proof') };
}
