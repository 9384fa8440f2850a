import type { Profile } from '../brand/profile/schema.ts';
import { type AskedGroup, UNANSWERED_BELOW } from './asked.ts';
import { readCell, writeCell } from './cell.ts';
import { readTable, SheetError, writeTable } from './csv.ts';

/** A row of the sheet: a question of visitors, with the claim that the owner chose. */
export interface AskedRow {
  /** As a spreadsheet counts: the headings are row 1. */
  readonly row: number;
  readonly query: string;
  readonly claimId: string;
  /** Empty: the profile's. */
  readonly language: string;
}

const HEADINGS = ['claim_id', 'statement', 'question', 'language', 'count', 'similarity', 'first', 'last'];

/**
 * The groups for a spreadsheet, one a row, the claim that came first already in `claim_id`, from a similarity of .2 on. Strangers
 * wrote the questions: nothing in a cell is taken for a formula.
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

/** The rows that name a claim. @throws SheetError where the sheet is not one of `aval asked --csv` */
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
