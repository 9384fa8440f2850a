import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { isSpanish } from '../brand/profile/finding-words.ts';
import { readCell, writeCell } from './cell.ts';
import { COLUMNS, type Column, columnOf, headingsIn, localWord } from './columns.ts';
import { figuresIn } from './figures.ts';
import { type Members, put, valueAt } from './member.ts';
import { unitNamed } from './units.ts';
import { plain, SheetError, type SheetFault } from './words.ts';

/** A claim or a proof as a sheet has it, whole or not. */
export interface Row {
  /** Members as brand.json has them; what the sheet does not say is not there. */
  readonly members: Readonly<Record<string, unknown>>;
  /** As a spreadsheet counts: the headings are row 1. */
  readonly row: number;
}

/** What a sheet says, in its order. */
export interface Sheet {
  readonly claims: readonly Row[];
  readonly proofs: readonly Row[];
  /** Headings as written, by the member's path; what has one and is empty is empty on purpose. */
  readonly headings: ReadonlyMap<string, string>;
  /** Cells that could not be taken. */
  readonly faults: readonly (SheetFault & { readonly row: number; readonly heading: string })[];
  /** Headings of the owner's own, which are passed over. */
  readonly unknown: readonly string[];
  /** The file is in the letters of Windows, as Excel saves "CSV" without "UTF-8". */
  readonly isWindows: boolean;
}

/**
 * Reads a CSV whose headings are those of COLUMNS, whatever separates its cells. A row with a cell of a claim is a claim, one
 * with a cell of a proof is a proof, and one with both is a claim that this proof stands behind.
 * @param language of the profile: in which its sentences say "1.289"
 * @throws SheetError where nothing can be read
 */
export function readSheet(bytes: Uint8Array, language: string): Sheet {
  const { text, isWindows } = decode(bytes);
  const [headings = [], ...rows] = readTable(text);
  const columns = resolve(headings);
  if (columns.size === 0) throw new SheetError('no_headings');
  const isEven = rows.every(({ length }) => length === rows[0]?.length);
  const sentence = [...columns].find(([, { path }]) => path[0] === 'statement')?.[0] ?? -1;
  const parts = { claims: [] as Row[], proofs: [] as Row[] };
  const faults: Sheet['faults'][number][] = [];
  const copies = new Set<string>();
  for (const [at, cells] of rows.entries()) {
    const row = at + 2;
    const members: Record<Column['part'], Members> = { claim: {}, proof: {} };
    let beside: { unit: string; cell: string } | undefined;
    // A separator at the end of every row is no cell.
    const further = cells.slice(headings.length);
    if (further.some(cell => cell.trim() !== '') || (further.length > 0 && !isEven))
      faults.push({ code: 'many_cells', values: [], row, heading: '' });
    const said = figuresIn(cells[sentence] ?? '', language);
    for (const [position, column] of columns) {
      const { value, unit, fault } = readCell(cells[position] ?? '', column, said);
      if (fault) faults.push({ ...fault, row, heading: headings[position] ?? '' });
      if (value !== undefined) members[column.part] = put(members[column.part], column.path, value);
      if (unit !== undefined) beside = { unit, cell: cells[position] ?? '' };
    }
    if (beside) members.claim = withUnit(members.claim, beside);
    addRow(parts, members, row, copies);
  }
  const known = [...columns].map(
    ([position, { path }]) => [path.join('.'), headings[position] ?? ''] as const,
  );
  const unknown = headings.filter((heading, at) => heading.trim() !== '' && !columns.has(at));
  return { ...parts, headings: new Map(known), faults, unknown, isWindows };
}

/** The cells of a CSV, row by row. @throws SheetError */
function readTable(whole: string): string[][] {
  // Excel writes its separator into a line of its own, and never shows that line.
  const [said = '', named] = /^sep=(.)\r?\n/i.exec(whole) ?? [];
  const text = whole.slice(said.length);
  try {
    return parse(text, { delimiter: named ?? delimiterOf(text), relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new SheetError('no_table', [String(Number(error.records) + 1)], { cause: error });
  }
}

const MARKS = new Map([
  ['255,254', 'utf-16le'],
  ['254,255', 'utf-16be'],
]);

/**
 * Signs that bytes are no letters of Windows either: its gaps and controls, what letters of DOS and Mac become (`se¤al`, `se–al`), UTF-8 cut short.
 */
const NOT_WINDOWS = /^ï»¿|(?![\t\n\r])\p{Cc}|[‚ƒ†‡ˆ‰¢¤Žž]|\p{L}[–—£¡]\p{L}|[ÂÃ][\u0080-\u00BF€-™]/u;

/** Node 20 reads windows-1252 as Latin-1, without its € and quotes; windows-1254 is the same but for six letters of Icelandic. */
const WINDOWS = 'windows-1254';

/** UTF-8, or UTF-16 where its mark says so, else the letters of Windows. @throws SheetError where it is none of them */
export function decode(bytes: Uint8Array): { text: string; isWindows: boolean } {
  const encoding = MARKS.get(bytes.subarray(0, 2).join());
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isWindows: false };
  } catch {
    const text = new TextDecoder(WINDOWS).decode(bytes);
    if (encoding !== undefined || NOT_WINDOWS.test(text)) throw new SheetError('not_utf8');
    return { text, isWindows: true };
  }
}

/** Spreadsheets in Spanish write semicolons, since the comma separates decimals. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const counted = [';', '\t', ','].map(sign => ({ sign, count: first.split(sign).length }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** Position to column. "Id" heads the claims, or the proofs of a sheet that has no statements. */
function resolve(headings: readonly string[]): Map<number, Column> {
  const names = headings.map(plain);
  const isOfProofs = !names.some(name => columnOf(name)?.path[0] === 'statement');
  const columns = new Map<number, Column>();
  for (const [at, name] of names.entries()) {
    const column = columnOf(isOfProofs && name === 'id' ? 'proof id' : name);
    if (!column) continue;
    const first = [...columns].find(([, other]) => other === column)?.[0];
    if (first !== undefined)
      throw new SheetError('same_heading', [headings[first] ?? '', headings[at] ?? '']);
    columns.set(at, column);
  }
  return columns;
}

/** A proof that is copied down to further claims is one; its id alone beside a claim names it, and it stands behind the claim. */
function addRow(
  parts: Record<'claims' | 'proofs', Row[]>,
  { claim, proof }: Record<Column['part'], Members>,
  row: number,
  copies: Set<string>,
) {
  const [hasClaim, hasProof] = [Object.keys(claim).length > 0, Object.keys(proof).length > 0];
  const { proof_id: id, ...said } = proof;
  const isNamed = typeof id === 'string';
  const copy = JSON.stringify(proof);
  const isLink = isNamed && (copies.has(copy) || (hasClaim && Object.keys(said).length === 0));
  if (hasProof && !isLink) parts.proofs.push({ members: proof, row });
  copies.add(copy);
  const ids = Array.isArray(claim.proof_ids) ? claim.proof_ids : [];
  const members = isNamed && !ids.includes(id) ? { ...claim, proof_ids: [...ids, id] } : claim;
  if (hasClaim) parts.claims.push({ members, row });
}

/** A unit beside a figure counts where its column is empty; where the two differ, the cell stays as it is, to be judged. */
function withUnit(claim: Members, { unit, cell }: { unit: string; cell: string }): Members {
  const own = valueAt(claim, ['metric', 'unit']);
  if (own === undefined) return put(claim, ['metric', 'unit'], unit);
  return unitNamed(String(own))?.name === unitNamed(unit)?.name
    ? claim
    : put(claim, ['metric', 'value'], cell.trim());
}

interface Written {
  readonly claims: readonly object[];
  readonly proofs: readonly object[];
  readonly language: string;
}

/**
 * The claims of a profile, then its proofs, one a row, as a spreadsheet of its language opens them: Spanish ones have Spanish
 * headings, semicolons and decimal commas. Every cell is quoted, so that no other separator splits it.
 */
export function writeSheet({ claims, proofs, language }: Written): string {
  const rowsOf = (parts: readonly object[], part: Column['part']) =>
    parts.map(members =>
      COLUMNS.map(column =>
        column.part === part ? cellOf(valueAt(members, column.path), column, language) : '',
      ),
    );
  const rows = [headingsIn(language), ...rowsOf(claims, 'claim'), ...rowsOf(proofs, 'proof')];
  // The byte order mark tells Excel that this is UTF-8.
  return stringify(rows, {
    delimiter: isSpanish(language) ? ';' : ',',
    bom: true,
    quoted: true,
    quoted_empty: true,
  });
}

function cellOf(value: unknown, column: Column, language: string): string {
  const text = writeCell(value);
  if (typeof value === 'number' && isSpanish(language)) return text.replace('.', ',');
  return localWord(column, value, language) ?? text;
}
