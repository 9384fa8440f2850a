import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { readCell, writeCell } from './cell.ts';
import { type Column, columnOf, headingOf, isSpanish, plain, sheetColumns } from './columns.ts';
import { type Members, put, valueAt } from './member.ts';

/** A claim or a proof as a sheet has it, whole or not. */
export interface Row {
  /** Members as brand.json has them; what the sheet does not say is not there. */
  readonly members: Members;
  /** The questions of a claim, by language, one list for each column of questions. */
  readonly questions: Readonly<Record<string, readonly string[]>>;
  /** As a spreadsheet counts: the headings are row 1. */
  readonly row: number;
}

/** What a sheet says, in its order. */
export interface Sheet {
  readonly claims: readonly Row[];
  readonly proofs: readonly Row[];
  /** Headings as written, by the member's path; what has one and is empty is empty on purpose. */
  readonly headings: ReadonlyMap<string, string>;
  /** Languages that have a column of questions. */
  readonly questionLanguages: readonly string[];
  /** Cells that could not be taken. */
  readonly faults: readonly { readonly row: number; readonly heading: string; readonly message: string }[];
  /** Headings of the owner's own, which are passed over. */
  readonly unknown: readonly string[];
  /** The file is in the letters of Windows, as Excel saves "CSV" without "UTF-8". */
  readonly isWindows: boolean;
}

/** A sheet that cannot be read at all. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
}

/**
 * Reads a CSV whose headings are those of columns.ts, whatever separates its cells. A row with a cell of a claim is a claim, one
 * with a cell of a proof is a proof, and one with both is a claim that this proof stands behind.
 * @throws SheetError where nothing can be read
 */
export function readSheet(bytes: Uint8Array): Sheet {
  const { text, isWindows } = decode(bytes);
  const [headings = [], ...rows] = readTable(text);
  const columns = resolveColumns(headings);
  if (columns.size === 0)
    throw new SheetError(
      'the first row has none of the headings: write at least "statement", "applies to" and "does not apply to"; aval csv export writes a sheet to start from',
    );
  // A separator at the end of every row is no cell.
  const isEven = rows.every(({ length }) => length === rows[0]?.length);
  const parts = { claims: [] as Row[], proofs: [] as Row[] };
  const faults: Sheet['faults'][number][] = [];
  const copies = new Set<string>();
  for (const [index, cells] of rows.entries()) {
    const row = index + 2;
    const further = cells.slice(headings.length);
    if (further.some(cell => cell.trim() !== '') || (further.length > 0 && !isEven))
      faults.push({ row, heading: '', message: MANY_CELLS });
    const members: Record<Column['part'], Members> = { claim: {}, proof: {} };
    for (const [position, column] of columns) {
      const { value, fault } = readCell(cells[position] ?? '', column);
      if (fault !== undefined) faults.push({ row, heading: headings[position] ?? '', message: fault });
      if (value !== undefined) members[column.part] = put(members[column.part], column.path, value);
    }
    addRow(parts, members, row, copies);
  }
  const written = [...columns].map(
    ([position, { path }]) => [path.join('.'), headings[position] ?? ''] as const,
  );
  return {
    ...parts,
    headings: new Map(written),
    questionLanguages: [...columns.values()].flatMap(({ path }) =>
      path[0] === 'questions' ? path.slice(1) : [],
    ),
    faults,
    unknown: headings.filter((heading, index) => heading.trim() !== '' && !columns.has(index)),
    isWindows,
  };
}

const MANY_CELLS = 'has more cells than the first row: put texts with the separator between double quotes';

/** The cells of a CSV, row by row. @throws SheetError */
export function readTable(text: string): string[][] {
  // Excel writes its separator into a line of its own, and never shows that line.
  const [separatorLine = '', separator] = /^sep=(.)\r?\n/i.exec(text) ?? [];
  const table = text.slice(separatorLine.length);
  try {
    return parse(table, { delimiter: separator ?? delimiterOf(table), relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + 1;
    throw new SheetError(
      `row ${row} has a quotation mark out of place: put the whole text between double quotes, and write each quote inside it twice`,
      { cause: error },
    );
  }
}

const MARKS = new Map([
  ['255,254', 'utf-16le'],
  ['254,255', 'utf-16be'],
]);

/** UTF-8, or UTF-16 where its mark says so, else the letters of Windows. */
export function decode(bytes: Uint8Array): { text: string; isWindows: boolean } {
  const encoding = MARKS.get(bytes.subarray(0, 2).join());
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isWindows: false };
  } catch {
    if (encoding !== undefined) throw new SheetError('is not UTF-8: save it as "CSV UTF-8"');
    // Node 20 reads windows-1252 as Latin-1, without its € and quotes; windows-1254 differs in six letters of Icelandic.
    return { text: new TextDecoder('windows-1254').decode(bytes), isWindows: true };
  }
}

/** Spreadsheets in Spanish write semicolons, since the comma separates decimals. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const counts = [';', '\t', ','].map(sign => ({ sign, count: first.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** Position to column. "Id" heads the claims, or the proofs of a sheet that has no statements. */
function resolveColumns(headings: readonly string[]): Map<number, Column> {
  const isOfProofs = !headings.some(heading => columnOf(heading)?.path[0] === 'statement');
  const columns = new Map<number, Column>();
  const positions = new Map<string, number>();
  for (const [index, heading] of headings.entries()) {
    const column = columnOf(isOfProofs && plain(heading) === 'id' ? 'proof id' : heading);
    if (!column) continue;
    const path = column.path.join('.').toLowerCase();
    const earlier = positions.get(path);
    if (earlier !== undefined)
      throw new SheetError(`the columns "${headings[earlier]}" and "${heading}" mean the same: keep one`);
    positions.set(path, index);
    columns.set(index, column);
  }
  return columns;
}

/** A proof that is copied down to further claims is one; its id alone beside a claim names it, and it stands behind the claim. */
function addRow(
  parts: Record<'claims' | 'proofs', Row[]>,
  { claim, proof }: Record<Column['part'], Members>,
  row: number,
  copies: Set<string>,
): void {
  const hasClaim = Object.keys(claim).length > 0;
  const hasProof = Object.keys(proof).length > 0;
  const { proof_id: id, ...proofMembers } = proof;
  const copy = JSON.stringify(proof);
  const isLink =
    typeof id === 'string' && (copies.has(copy) || (hasClaim && Object.keys(proofMembers).length === 0));
  copies.add(copy);
  if (hasProof && !isLink) parts.proofs.push({ members: proof, questions: {}, row });
  if (!hasClaim) return;
  const { questions = {}, ...members } = claim;
  const ids = Array.isArray(members.proof_ids) ? members.proof_ids : [];
  const linked =
    typeof id === 'string' && !ids.includes(id) ? { ...members, proof_ids: [...ids, id] } : members;
  parts.claims.push({ members: linked, questions: questions as Row['questions'], row });
}

interface Written {
  readonly claims: readonly Members[];
  readonly proofs: readonly Members[];
  readonly questions: readonly Members[];
  readonly language: string;
}

/**
 * The claims of a profile with their questions, then its proofs, one a row, as a spreadsheet of its language opens them: Spanish
 * ones have Spanish headings, semicolons and decimal commas.
 */
export function writeSheet({ claims, proofs, questions, language }: Written): string {
  const languages = new Set(['es', 'en', ...questions.map(question => languageOf(question, language))]);
  const columns = sheetColumns([...languages]);
  const byClaim = questionsByClaim(questions, language);
  const withQuestions = claims.map(claim => ({ ...claim, questions: byClaim.get(claim.claim_id) ?? {} }));
  const rowsOf = (parts: readonly Members[], part: Column['part']) =>
    parts.map(members =>
      columns.map(column =>
        column.part === part ? writeCell(valueAt(members, column.path), column, language) : '',
      ),
    );
  const headings = columns.map(column => headingOf(column, language));
  return writeTable([headings, ...rowsOf(withQuestions, 'claim'), ...rowsOf(proofs, 'proof')], language);
}

/**
 * A CSV as spreadsheets of the language open it. Every cell is quoted, so that no other separator splits it.
 * @example writeTable([['id', 'text'], [1, 'a']], 'en') // '\ufeff"id","text"\n"1","a"\n'
 */
export function writeTable(rows: readonly (readonly (string | number)[])[], language: string): string {
  const delimiter = isSpanish(language) ? ';' : ',';
  // The byte order mark tells Excel that this is UTF-8.
  return stringify([...rows], { delimiter, bom: true, quoted: true, quoted_empty: true });
}

/** The language of a question; without one it is the profile's. */
export const languageOf = (question: Members, profileLanguage: string): string =>
  typeof question.language === 'string' ? question.language : profileLanguage;

/** The texts of the questions by their claim and language. */
export function questionsByClaim(
  questions: readonly Members[],
  language: string,
): Map<unknown, Record<string, string[]>> {
  const byClaim = new Map<unknown, Record<string, string[]>>();
  for (const question of questions) {
    const texts = byClaim.get(question.claim_id) ?? {};
    const tag = languageOf(question, language);
    texts[tag] = [...(texts[tag] ?? []), String(question.text)];
    byClaim.set(question.claim_id, texts);
  }
  return byClaim;
}
