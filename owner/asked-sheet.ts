import type { Profile } from '../brand/profile/schema.ts';
import { type AskedGroup, UNANSWERED_BELOW } from './asked.ts';
import { readCell, writeCell } from './cell.ts';
import { readTable, SheetError, writeTable } from './csv.ts';

/** A row of the sheet: a visitors' question, with the claim that the owner chose. */
export interface AskedRow {
  /** Row number as in a spreadsheet: the headings are row 1. */
  readonly row: number;
  readonly query: string;
  readonly claimId: string;
  /** Language tag. Empty: the profile's language. */
  readonly language: string;
}

const HEADINGS = ['claim_id', 'statement', 'question', 'language', 'count', 'similarity', 'first', 'last'];

/**
 * Writes one row for each group. `claim_id` has the first claim, from a similarity of .2 on. Strangers wrote
 * the questions, so no cell is taken for a formula.
 */
export function writeAskedSheet(
  groups: readonly AskedGroup[],
  { claims, language: profileLanguage }: Profile,
): string {
  const statements = new Map(claims.map(claim => [claim.claim_id, claim.statement]));
  const rows = groups.map(({ query, count, firstMs, lastMs, language = '', nearest: [best] }) => [
    best && best.similarity >= UNANSWERED_BELOW ? best.claimId : '',
    writeCell(statements.get(best?.claimId ?? ''), {}, profileLanguage),
    writeCell(query, {}, profileLanguage),
    language,
    count,
    best?.similarity.toFixed(2) ?? '',
    dayOf(firstMs),
    dayOf(lastMs),
  ]);
  return writeTable([HEADINGS, ...rows], profileLanguage);
}

export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Reads the rows that name a claim. @throws SheetError for a sheet that is not of `aval asked --csv` */
export function readAskedSheet(bytes: Uint8Array): AskedRow[] {
  const [headings = [], ...rows] = readTable(bytes).rows;
  const position = (name: string) => headings.findIndex(heading => heading.trim() === name);
  if (position('claim_id') < 0 || position('question') < 0)
    throw new SheetError('the first row lacks claim_id and question: aval asked --csv writes such a sheet');
  const read = rows.map((cells, index): AskedRow => {
    const text = (name: string) => String(readCell(cells[position(name)] ?? '', {}).value ?? '');
    return { row: index + 2, query: text('question'), claimId: text('claim_id'), language: text('language') };
  });
  return read.filter(({ query, claimId }) => query !== '' && claimId !== '');
}
