import { type Column, isSpanish, plain } from './columns.ts';

/** A cell's value for the profile; absent where the cell is empty; `fault` says why it cannot be taken, and what to do. */
export interface ReadCell {
  readonly value?: string | number | readonly string[];
  readonly fault?: string;
}

/** Signs with which a spreadsheet begins a formula, full-width ones too (CSV injection, OWASP), and the apostrophe itself. */
const FORMULA_SIGN = /^\s*[=+\-@＝＋－＠']|^[\t\r]/;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
/** "1.250,50" and "1,250.50": of two separators the last parts the decimals. */
const GROUPED = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;
const SPREADSHEET_ERROR =
  // What a broken formula shows, in Spanish and English: #REF!, #¡VALOR!, #N/A, ####.
  /^#(?:¡?(?:REF|VALUE|VALOR|DIV\/0|NUM|NULL|NULO|SPILL|CALC)!|N\/[AD]|¿?(?:NAME|NOMBRE)\?|#{3,})$/;

/** More than any column takes: 50 ids of 100 characters, or a text of 2,000. */
const MAX_CELL = 10_000;

/** The text of a cell from which `readCell` reads the same value again, as a spreadsheet of the language shows it. */
export function writeCell(value: unknown, column: Column, language: string): string {
  if (column.holds === 'lines' && Array.isArray(value))
    return value.map(line => guarded(String(line))).join('\n');
  if (Array.isArray(value)) return value.join('; ');
  if (typeof value === 'number') return writeNumber(value, language);
  const [word] = (isSpanish(language) && column.spanish?.[String(value)]) || [];
  return word ?? guarded(String(value ?? ''));
}

/** A spreadsheet that is told the wrong separator takes each line of a cell for a row, so each line is guarded. */
function guarded(text: string): string {
  const [first = '', ...others] = text.split(/(?<=\n|\r)/);
  const lines = others.map(line => (FORMULA_SIGN.test(line) ? `'${line}` : line));
  const isChanged = needsApostrophe(first) || text !== text.trim() || text.includes('\r');
  return [isChanged ? `'${first}` : first, ...lines].join('');
}

/** What a spreadsheet, or the trimming of a reader, would change. */
const needsApostrophe = (text: string): boolean =>
  FORMULA_SIGN.test(text) || NUMBER.test(text) || GROUPED.test(text) || SPREADSHEET_ERROR.test(text);

/** Three decimals get a fourth, since 1.234 may be a thousand. */
function writeNumber(value: number, language: string): string {
  const text = /^-?[1-9]\d{0,2}\.\d{3}$/.test(String(value)) ? `${value}0` : String(value);
  return isSpanish(language) ? text.replace('.', ',') : text;
}

/** Reads a cell as its column wants it. Text loses spaces around it, or the apostrophe that `writeCell` put before it. */
export function readCell(written: string, column: Column): ReadCell {
  if (column.holds === 'lines') return readLines(written);
  const [first = '', ...others] = written.split(/(?<=\n|\r)/);
  const lines = others.map(unguarded);
  if (isApostrophed(written)) return { value: [first.slice(1), ...lines].join('') };
  const text = [first, ...lines].join('').replace(/\r\n?/g, '\n').trim();
  if (text === '') return {};
  // With some of its text, so that nothing says that the cell is empty.
  if (text.length > MAX_CELL)
    return { value: text.slice(0, 100), fault: `has more than ${MAX_CELL} characters: shorten it` };
  if (SPREADSHEET_ERROR.test(text))
    return { fault: `holds the error ${text} of the spreadsheet: mend the formula` };
  if (/^[=＝]/.test(text))
    return { fault: 'holds a formula: write its result, or put an apostrophe before the =' };
  if (column.holds === 'ids') return { value: splitIds(text) };
  if (column.holds !== undefined) return readFigure(text, column.holds);
  return { value: wordOf(text, column) ?? text };
}

const unguarded = (line: string): string =>
  line.startsWith("'") && FORMULA_SIGN.test(line.slice(1)) ? line.slice(1) : line;

/** Whether `writeCell` put the apostrophe there. */
function isApostrophed(written: string): boolean {
  if (!written.startsWith("'")) return false;
  const text = written.slice(1);
  return guarded(text).startsWith("'");
}

function readLines(written: string): ReadCell {
  const lines = written.split(/\r\n?|\n/).map(line => (isApostrophed(line) ? line.slice(1) : line.trim()));
  const texts = lines.filter(line => line !== '');
  return texts.length === 0 ? {} : { value: texts };
}

/** Ids with spaces, commas or semicolons between them. */
const splitIds = (text: string): string[] =>
  text
    .split(/[;,\s]+/)
    .filter(Boolean)
    .map(id => id.normalize('NFC'));

/** The word of the profile that a Spanish word stands for. */
function wordOf(text: string, { spanish = {} }: Column): string | undefined {
  const entry = Object.entries(spanish).find(([, words]) => words.some(word => plain(word) === plain(text)));
  return entry?.[0];
}

/** "3,4" and "3.4" are one number; "1.234" may be a thousand or one and a bit, which only its owner knows. */
function readFigure(text: string, holds: Column['holds']): ReadCell {
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) {
    const thousands = text.replace(/[.,]/, '');
    const decimal = text.replace(',', '.');
    return { fault: `may be ${thousands} or ${decimal}: write ${thousands} or ${decimal}0` };
  }
  if (NUMBER.test(text)) return { value: Number(text.replace(',', '.')) };
  if (GROUPED.test(text))
    return { value: Number(text.replace(/[.,](?=.*[.,]|\d{3}$)/g, '').replace(',', '.')) };
  return holds === 'whole number' ? { fault: 'is no number' } : { value: text };
}
