import type { Column } from './columns.ts';
import { type Figure, unitNamed } from './units.ts';
import { plain, type SheetFault } from './words.ts';

/** A cell's value for the profile; absent where the cell is empty; `fault` where it cannot be taken. */
export interface ReadCell {
  readonly value?: string | number | readonly string[];
  /** What stands beside a figure in its cell: "45 €". */
  readonly unit?: string;
  readonly fault?: SheetFault;
}

/** Signs with which a spreadsheet begins a formula, full-width ones too (CSV injection, OWASP), and the apostrophe itself. */
const GUARDED = /^\s*[=+\-@＝＋－＠']|^[\t\r]/;
/** Lines of a cell after its first: a spreadsheet that is told the wrong separator takes each for a row. */
const FURTHER_LINE = /(?<=\n|\r).*/g;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
/** "1.250,50" and "1,250.50": of two separators the last parts the decimals. */
const GROUPED = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;
const WITH_UNIT = /^(-?[\d.,]+)[ \u00a0\u202f]?([^\d\s.,][^\d]*)$/u;
const SIGN_FIRST = /^(US\$|[€$£¥])[ \u00a0\u202f]?(-?\d[\d.,]*)$/u;
/** What a broken formula shows, in Spanish and English, and what programs write for nothing. */
export const SPREADSHEET_ERROR =
  /#(?:¡?(?:REF|VALUE|VALOR|DIV\/0|NUM|NULL|NULO|SPILL|CALC)!|N\/[AD](?!\p{L})|¿?(?:NAME|NOMBRE)\?)|#{4,}|(?<![\p{L}\d])NaN(?![\p{L}\d])|\[object Object\]|^(?:undefined|null)$|(?<![\p{L}\d])(?:undefined|null) (?=€|%|euros?|pounds?|dollars?|d[íi]as?|horas?|minutos?|days?|hours?|minutes?)/u;

/** More than any column takes: 50 ids of 100 characters, or a text of 2,000. */
const MAX_CELL = 10_000;

/** The text of a cell from which `readCell` reads the same value again. Numbers stay numbers. */
export function writeCell(value: unknown): string {
  if (Array.isArray(value)) return value.join('; ');
  if (typeof value === 'number') return writeNumber(value);
  const text = String(value ?? '').replace(FURTHER_LINE, line => (GUARDED.test(line) ? `'${line}` : line));
  return isGuarded(text) ? `'${text}` : text;
}

/**
 * Reads a cell as its column wants it. Text loses spaces around it, or the apostrophe that `writeCell` put before it.
 * @param said figures of its row's sentence: they settle what "1.234" is
 */
export function readCell(written: string, column: Column, said: readonly Figure[] = []): ReadCell {
  const cell = written.replace(FURTHER_LINE, line =>
    GUARDED.test(line.slice(1)) ? line.replace(/^'/, '') : line,
  );
  if (cell.startsWith("'") && isGuarded(cell.slice(1))) {
    return { value: column.holds === 'ids' ? idsIn(cell.slice(1)) : cell.slice(1) };
  }
  const text = cell.replace(/\r\n?/g, '\n').trim();
  // With some of its text, so that nothing says that the cell is empty.
  if (text.length > MAX_CELL)
    return { value: text.slice(0, 100), fault: { code: 'long_cell', values: [String(MAX_CELL)] } };
  if (text === '') return {};
  const [error] = SPREADSHEET_ERROR.exec(text) ?? [];
  if (error !== undefined) {
    const fault = { code: 'spreadsheet_error', values: [error.trim()] } as const;
    return text === error ? { fault } : { value: text.replace(error, '… '), fault };
  }
  if (/^[=＝]/.test(text)) return { fault: { code: 'formula', values: [] } };
  if (column.holds === 'ids') return { value: idsIn(text) };
  if (column.holds !== undefined) return readFigure(text, column, said);
  return { value: column.words?.[plain(text)] ?? text };
}

/** Ids with spaces, commas or semicolons between them. */
export const idsIn = (text: string): string[] =>
  text
    .split(/[;,\s]+/)
    .filter(Boolean)
    .map(id => id.normalize('NFC'));

/** "3,4" and "3.4" are one number; "1.234" may be a thousand or one and a bit, which only its owner knows. */
function readFigure(text: string, column: Column, said: readonly Figure[]): ReadCell {
  const [figure, unit = ''] = column.path[1] === 'value' ? figureAndUnit(text) : [];
  if (figure !== undefined && unitNamed(unit)) {
    const read = readFigure(figure, column, said);
    return typeof read.value === 'string' ? { value: text } : { ...read, unit };
  }
  const { holds } = column;
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) {
    const [thousands, decimal] = [text.replace(/[.,]/, ''), text.replace(',', '.')];
    if (said.some(({ readings: [first, ...others] }) => first === Number(thousands) && others.length === 0))
      return { value: Number(thousands) };
    return { fault: { code: 'two_figures', values: [thousands, decimal, thousands, `${decimal}0`] } };
  }
  if (NUMBER.test(text)) return { value: Number(text.replace(',', '.')) };
  if (GROUPED.test(text))
    return { value: Number(text.replace(/[.,](?=.*[.,]|\d{3}$)/g, '').replace(',', '.')) };
  return holds === 'whole number' ? { fault: { code: 'no_number', values: [] } } : { value: text };
}

/** "45 €" and "£45": a figure and its unit; empty where a text is neither. */
export function figureAndUnit(text: string): readonly [figure: string, unit: string] | readonly [] {
  const [, figure, unit] = WITH_UNIT.exec(text) ?? [];
  if (figure !== undefined && unit !== undefined) return [figure, unit];
  const [, sign, amount] = SIGN_FIRST.exec(text) ?? [];
  return sign !== undefined && amount !== undefined ? [amount, sign] : [];
}

function writeNumber(value: number): string {
  const text = String(value);
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** What a spreadsheet, or the trimming of a reader, would change. */
const isGuarded = (text: string) =>
  GUARDED.test(text) ||
  text !== text.trim() ||
  text.includes('\r') ||
  NUMBER.test(text) ||
  GROUPED.test(text) ||
  figureAndUnit(text).length > 0 ||
  SPREADSHEET_ERROR.test(text);
