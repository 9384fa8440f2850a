import { type Column, plain } from './columns.ts';

/** What a spreadsheet or a text may hold in one place. */
export type CellValue = string | number | boolean | Date | null | undefined;

/** A cell's value for the profile; undefined where it is empty; `fault` in words where it cannot be taken. */
export interface ReadCell {
  readonly value?: string | number | readonly string[];
  readonly fault?: string;
}

/** Signs with which a spreadsheet begins a formula: written behind an apostrophe, they stay text (CSV injection, OWASP). */
const FORMULA = /^'*[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
const SPREADSHEET_ERROR = /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;

/** Reads a cell as its column wants it. Text loses spaces around it, and the apostrophe that `writeCell` put before it. */
export function readCell(cell: CellValue, column: Column): ReadCell {
  if (cell === null || cell === undefined) return {};
  if (typeof cell === 'number') return readNumber(cell, column);
  const text = (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)).replace(/\r\n?/g, '\n').trim();
  if (text === '') return {};
  if (SPREADSHEET_ERROR.test(text)) return { fault: `holds the error ${text} of the spreadsheet: mend the formula` };
  if (text.startsWith('=')) return { fault: 'holds a formula: write its result, or put an apostrophe before the =' };
  if (column.holds === 'ids')
    return {
      value: text
        .split(/[;,\s]+/)
        .filter(Boolean)
        .map(id => id.normalize('NFC')),
    };
  if (column.holds !== undefined) return readFigure(text, column);
  return { value: column.words?.[plain(text)] ?? unquoted(text) };
}

function readNumber(value: number, column: Column): ReadCell {
  if (!Number.isFinite(value)) return { fault: 'holds no number' };
  return { value: column.holds === 'number or text' || column.holds === 'whole number' ? value : String(value) };
}

/** "3,4" and "3.4" are one number; "1.234" may be a thousand or one and a bit, which only its owner knows. */
function readFigure(text: string, { holds }: Column): ReadCell {
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) {
    const [thousands, decimal] = [text.replace(/[.,]/, ''), `${text.replace(',', '.')}0`];
    return { fault: `may be ${thousands} or ${decimal.slice(0, -1)}: write ${thousands} or ${decimal}` };
  }
  if (NUMBER.test(text)) return { value: Number(text.replace(',', '.')) };
  return holds === 'whole number' ? { fault: 'is no number' } : { value: unquoted(text) };
}

/** The text of a cell from which `readCell` reads the same value again. */
export function writeCell(value: unknown): string {
  if (Array.isArray(value)) return value.join('; ');
  if (typeof value === 'number') return writeNumber(value);
  const text = String(value ?? '');
  return isQuotable(text) ? `'${text}` : text;
}

function writeNumber(value: number): string {
  const text = String(value);
  // 1e21 and the like are read as text, which no profile of this world misses.
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

function unquoted(text: string): string {
  return text.startsWith("'") && isQuotable(text.slice(1)) ? text.slice(1) : text;
}

const isQuotable = (text: string) => FORMULA.test(text) || NUMBER.test(text.replace(/^'+/, ''));
