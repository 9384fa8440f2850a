import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { messagesByTag } from '../tools/words/language.ts';

/** The sheet cannot be read. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
}

/**
 * The cells of a CSV, row by row. `isWindows`: it is in the letters of Windows, as Excel saves "CSV" without
 * "UTF-8".
 * @throws SheetError with the row and what to do
 * @example readTable(await readFile('claims.csv')).rows[0]; // the headings
 */
export function readTable(bytes: Uint8Array): { rows: string[][]; isWindows: boolean } {
  const { text, isWindows } = decode(bytes);
  try {
    return { rows: parse(text, { delimiter: delimiterOf(text), relax_column_count_less: true }), isWindows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + 1;
    const isTooLong = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH';
    const message = isTooLong
      ? 'has more cells than the first row: put texts with the separator between double quotes'
      : 'has a quotation mark out of place: put the whole text between double quotes, and write ' +
        'each quote inside it twice';
    throw new SheetError(`row ${row} ${message}`, { cause: error });
  }
}

function decode(bytes: Uint8Array): { text: string; isWindows: boolean } {
  if (bytes.includes(0)) throw new SheetError('is UTF-16 or no text: save it as "CSV UTF-8"');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isWindows: false };
  } catch {
    // Node 20 reads windows-1252 as Latin-1, without its € and quotes; windows-1254 differs in six letters of
    // Icelandic.
    return { text: new TextDecoder('windows-1254').decode(bytes), isWindows: true };
  }
}

/** Spanish spreadsheets write semicolons, because their decimals have commas. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const counts = [';', '\t', ','].map(sign => ({ sign, count: first.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/**
 * Writes a CSV for spreadsheets of the language. Every cell is quoted, so that no other separator splits it.
 * @example writeTable([['id', 'text'], [1, 'a']], 'en') // '\ufeff"id","text"\n"1","a"\n'
 */
export function writeTable(rows: readonly (readonly (string | number)[])[], language: string): string {
  const delimiter = isSpanish(language) ? ';' : ',';
  // The byte order mark tells Excel that it is UTF-8.
  return stringify([...rows], { delimiter, bom: true, quoted: true, quoted_empty: true });
}

/** Whether sheets of a profile in this language are Spanish; all others are English. */
export const isSpanish = (language: string): boolean => messagesByTag(language)?.tag === 'es';
