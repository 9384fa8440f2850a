import { foldedText } from '../brand/profile/texts.ts';
import type { Column } from './columns.ts';
import { isSpanish } from './csv.ts';

/** A cell's value for the profile; absent where the cell is empty; `fault` says why it cannot be taken, and what to do. */
export interface ReadCell {
  readonly value?: string | number | readonly string[];
  readonly fault?: string;
}

/** Signs with which a spreadsheet begins a formula, full-width ones too (CSV injection, OWASP), and the apostrophe itself. */
const FORMULA = /^\s*['=+\-@＝＋－＠]/;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;
/** `1.234` may be a thousand or one and a bit, which only its owner knows; so may `1.234,5` and `1,234,567`. */
const GROUPED = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d+)?$/;
/** What a broken formula shows, in Spanish and English: `#REF!`, `#¡VALOR!`, `#N/A`, `####`. */
const SPREADSHEET_ERROR = /^#(?:¡?¿?[A-Z/0]+[!?]|N\/[AD]|#{3,})$/;

type Rules = Pick<Column, 'holds' | 'spanish'>;

/**
 * The text of a cell from which `readCell` reads the value again, as a spreadsheet of the language shows it.
 * @example writeCell('=1+1', {}, 'en'); // "'=1+1"
 */
export function writeCell(value: unknown, { holds, spanish }: Rules, language: string): string {
  if (Array.isArray(value) && holds === 'lines') return value.map(line => guarded(String(line))).join('\n');
  if (Array.isArray(value)) return value.join('; ');
  if (typeof value === 'number') return writeNumber(value, language);
  const text = String(value ?? '');
  return (isSpanish(language) && spanish?.[text]) || guarded(text.replace(/\r\n?/g, '\n'));
}

/** A spreadsheet that is told the wrong separator takes each line of a cell for a row, so each line is guarded. */
const guarded = (text: string): string => eachLine(text, line => (FORMULA.test(line) ? `'${line}` : line));

const unguarded = (text: string): string =>
  eachLine(text, line => (line.startsWith("'") && FORMULA.test(line.slice(1)) ? line.slice(1) : line));

const eachLine = (text: string, change: (line: string) => string): string =>
  text.split('\n').map(change).join('\n');

/** Three decimals get a fourth, since 1.234 may be a thousand. */
function writeNumber(value: number, language: string): string {
  const text = GROUPED.test(String(value)) ? `${value}0` : String(value);
  return isSpanish(language) ? text.replace('.', ',') : text;
}

/** Reads a cell as its column wants it. Text loses spaces around it, and the apostrophe that `writeCell` put before it. */
export function readCell(written: string, { holds, spanish = {} }: Rules): ReadCell {
  const text = unguarded(written.replace(/\r\n?/g, '\n').trim());
  if (text === '') return {};
  if (SPREADSHEET_ERROR.test(text))
    return { fault: `holds the error ${text} of the spreadsheet: mend the formula` };
  if (/^[=＝]/.test(written.trim()))
    return { fault: 'holds a formula: write its result, or put an apostrophe before the =' };
  if (holds === 'lines') {
    const lines = text.split('\n').map(line => line.trim());
    return { value: lines.filter(line => line !== '') };
  }
  if (holds === 'ids')
    return {
      value: text
        .normalize('NFC')
        .split(/[;,\s]+/)
        .filter(Boolean),
    };
  if (holds !== undefined) return readNumber(text, holds);
  const word = Object.keys(spanish).find(key => foldedText(spanish[key] ?? '') === foldedText(text));
  return { value: word ?? text };
}

function readNumber(text: string, holds: Column['holds']): ReadCell {
  if (GROUPED.test(text))
    return {
      fault: 'may have thousands or decimals: write no sign between thousands, and three decimals as 1.2340',
    };
  if (NUMBER.test(text)) return { value: Number(text.replace(',', '.')) };
  return holds === 'whole number' ? { fault: 'is no number' } : { value: text };
}
