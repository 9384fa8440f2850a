import { foldedText } from '../brand/profile/texts.ts';
import type { Column } from './columns.ts';
import { isSpanish } from './csv.ts';

/** A cell's value. Absent if the cell is empty; `fault` says what is wrong with it, and what to do. */
interface ReadCell {
  readonly value?: string | number | readonly string[];
  readonly fault?: string;
}

/**
 * A line that begins a formula in a spreadsheet, with full-width signs too (CSV injection, OWASP), or with an
 * apostrophe.
 */
const GUARDED = /^\s*['=+\-@＝＋－＠]/;
/** `45`, `-3,5` and `1e-7`. */
const NUMBER = /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;
/** Ambiguous: `1.234` may be 1234 or 1.234; likewise `1.234,5` and `1,234,567`. */
const GROUPED = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d+)?$/;
/** Results of a broken formula, in Spanish and English: `#REF!`, `#¡VALOR!`, `#N/A`, `####`. */
const SPREADSHEET_ERROR = /^#(?:¡?¿?[A-Z/0]+[!?]|N\/[AD]|#{3,})$/;

type Rules = Pick<Column, 'holds' | 'spanish'>;

/**
 * Writes a value as a cell, as spreadsheets of the language show it. `readCell` reads the same value from it.
 * A list has one entry a line. As in a spreadsheet, an apostrophe stands before a text that would change.
 * @example writeCell('=1+1', {}, 'en'); // "'=1+1"
 * writeCell('7.900', { holds: 'number or text' }, 'en'); // "'7.900", since it is no number
 */
export function writeCell(value: unknown, rules: Rules, language: string): string {
  const { holds, spanish = {} } = rules;
  if (typeof value === 'number') return writeNumber(value, language);
  const isList = Array.isArray(value);
  if (isList && holds === 'ids') return value.join('; ');
  const text = isList ? value.map(oneLine).join('\n') : String(value ?? '').replace(LINE_BREAK, '\n');
  if (isSpanish(language) && Object.hasOwn(spanish, text)) return spanish[text] ?? text;
  const cell = guarded(text);
  return cell.startsWith("'") || readsAsItIs(cell, rules) ? cell : `'${cell}`;
}

const LINE_BREAK = /\r\n?/g;

const oneLine = (entry: unknown): string =>
  String(entry)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim();

const eachLine = (text: string, change: (line: string) => string): string =>
  text.split('\n').map(change).join('\n');

/** Guards each line, because with a wrong separator a spreadsheet takes each line of a cell for a row. */
const guarded = (text: string): string => eachLine(text, line => (GUARDED.test(line) ? `'${line}` : line));

const unguarded = (text: string): string =>
  eachLine(text, line => (line.startsWith("'") && GUARDED.test(line.slice(1)) ? line.slice(1) : line));

/** Whether a text needs no apostrophe. `7.900`, `#REF!` and spaces at the ends need one. */
function readsAsItIs(cell: string, rules: Rules): boolean {
  const { value = '' } = readPlainCell(cell, rules);
  return typeof value !== 'number' && [value].flat().join('\n') === unguarded(cell);
}

/** Writes a number. Three decimals get a fourth one, since 1.234 may be read as 1234. */
function writeNumber(value: number, language: string): string {
  const text = GROUPED.test(String(value)) ? `${value}0` : String(value);
  return isSpanish(language) ? text.replace('.', ',') : text;
}

/**
 * Reads a cell by the rules of its column. Text is trimmed. After an apostrophe of `writeCell` it is kept as it
 * is. Any other apostrophe is a person's, as in `'Best' is our word`.
 */
export function readCell(written: string, rules: Rules): ReadCell {
  const cell = written.replace(LINE_BREAK, '\n');
  const text = cell.slice(1);
  const isGuarded = cell.startsWith("'") && (GUARDED.test(text) || !readsAsItIs(text, rules));
  if (!isGuarded) return readPlainCell(cell, rules);
  const [firstLine = '', ...otherLines] = text.split('\n');
  return { value: readText([firstLine, ...otherLines.map(unguarded)].join('\n'), rules) };
}

function readPlainCell(cell: string, rules: Rules): ReadCell {
  const { holds, spanish = {} } = rules;
  const text = unguarded(cell.trim());
  if (text === '') return {};
  if (SPREADSHEET_ERROR.test(text))
    return { fault: `holds the error ${text} of the spreadsheet: mend the formula` };
  if (/^[=＝]/.test(cell.trim()))
    return { fault: 'holds a formula: write its result, or put an apostrophe before the =' };
  if (holds === 'number or text' || holds === 'whole number') return readNumber(text, holds);
  const word = Object.keys(spanish).find(key => foldedText(spanish[key] ?? '') === foldedText(text));
  return { value: word ?? readText(text, rules) };
}

function readText(text: string, { holds }: Rules): string | readonly string[] {
  if (holds === 'ids') return text.split(/[;,\s]+/).filter(Boolean);
  if (holds !== 'lines') return text;
  const lines = text.split('\n').map(line => line.trim());
  return lines.filter(line => line !== '');
}

function readNumber(text: string, holds: Column['holds']): ReadCell {
  if (GROUPED.test(text))
    return {
      fault: 'may have thousands or decimals: write no sign between thousands, and three decimals as 1.2340',
    };
  const value = Number(text.replace(',', '.'));
  if (NUMBER.test(text) && Number.isFinite(value)) return { value };
  return holds === 'whole number' ? { fault: 'is no number' } : { value: text };
}
