/** A day of the calendar that a text names, in Spanish or English: `31 de febrero`, `30 April 2025`. */
export interface Day {
  readonly said: string;
  /** Where it begins in the text. */
  readonly index: number;
  /** Without a year, that of a leap year. */
  readonly date: Date;
  readonly hasYear: boolean;
  /** Whether a calendar has it. */
  readonly exists: boolean;
}

const MONTHS = [
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'january|february|march|april|may|june|july|august|september|october|november|december',
].map(names => names.split('|'));
const DAY_OF_MONTH = new RegExp(
  `(?<!\\d)(\\d{1,2}) (?:de )?(${MONTHS.flat().join('|')})(?!\\p{L})(?:(?: de|,)? (\\d{4}))?`,
  'giu',
);
const LEAP_YEAR = '2028';

export function daysIn(text: string): Day[] {
  return Array.from(text.matchAll(DAY_OF_MONTH), ({ 0: said, 1: day, 2: name = '', 3: year, index }) => {
    const month = Math.max(...MONTHS.map(names => names.indexOf(name.toLowerCase())));
    const date = new Date(Date.UTC(Number(year ?? LEAP_YEAR), month, Number(day)));
    const exists = date.getUTCMonth() === month && Number(day) !== 0;
    return { said, index, date, hasYear: year !== undefined, exists };
  });
}
