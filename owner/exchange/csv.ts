import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as z from 'zod';
import { headingsIn } from './columns.ts';
import { markHeading } from './export-mark.ts';
import { decode, ExchangeError, type Exported, type Imported } from './imported.ts';
import { markedRows, readSheets, type Sheet } from './rows.ts';

/** Reads a table of text; the separator is the one that its first line has most of. @throws ExchangeError */
export function readCsv(bytes: Uint8Array): Imported {
  return readSheets([readTable(bytes)]);
}

/** The first line as headings, the others as rows. @throws ExchangeError */
export function readTable(bytes: Uint8Array): Sheet {
  const lines = records(decode(bytes));
  const [headings, ...rows] = lines;
  return {
    name: '',
    headings: headings?.record ?? [],
    // A cell may have several lines: a row begins after the end of the one before.
    rows: rows.map(({ record }, at) => ({ cells: record, place: `line ${(lines[at]?.info.lines ?? 0) + 1}` })),
  };
}

/** A row, and the line at which it ends. */
const Lines = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

function records(text: string): z.infer<typeof Lines> {
  try {
    const options = { delimiter: delimiterOf(text), info: true, relax_column_count: true, skip_empty_lines: true };
    return Lines.parse(parse(text, options));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ExchangeError(
      `is no table of cells: ${error.message}; put texts with quotes or line breaks between double quotes`,
    );
  }
}

/** Spreadsheets in Spanish write semicolons, since the comma separates decimals. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const counted = [';', '\t', ','].map(sign => ({ sign, count: first.split(sign).length }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ',';
}

/** One row a claim, then one row a proof. */
export function writeCsv(parts: Exported, delimiter: string): string {
  const { language } = parts;
  const { claim, proof } = markedRows(parts);
  const rows = [[...headingsIn(language), markHeading(language)], ...claim, ...proof];
  // The mark tells spreadsheets that this is UTF-8.
  return stringify(
    rows.map(row => [...row]),
    { delimiter, bom: true },
  );
}
