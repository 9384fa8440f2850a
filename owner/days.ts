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
  /** Whether it falls on the weekday that is said before it. */
  readonly fits: boolean;
}

const MONTHS = [
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'january|february|march|april|may|june|july|august|september|october|november|december',
].map(names => names.split('|'));
const DAY_OF_MONTH = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)? (?:de |of )?(${MONTHS.flat().join('|')})(?!\\p{L})(?:(?: de|,)? (\\d{4}))?`,
  'giu',
);
const NUMERIC = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(20\d\d)(?![\d/.-]*\d)/g;
const WEEKDAYS = [
  'domingo|lunes|martes|miércoles|jueves|viernes|sábado',
  'sunday|monday|tuesday|wednesday|thursday|friday|saturday',
].map(names => names.split('|'));
const WEEKDAY = new RegExp(`(?<!\\p{L})(${WEEKDAYS.flat().join('|')}),?(?: the| el| día)* ?$`, 'iu');
const LEAP_YEAR = '2028';

export function daysIn(text: string): Day[] {
  const named = Array.from(text.matchAll(DAY_OF_MONTH), ({ 0: said, 1: day, 2: name = '', 3: year, index }) => {
    const month = placeIn(MONTHS, name);
    const weekday = placeIn(WEEKDAYS, WEEKDAY.exec(text.slice(0, index))?.[1] ?? '');
    const { date, exists } = dayOf(Number(day), month, year ?? LEAP_YEAR);
    const fits = year === undefined || weekday < 0 || weekday === date.getUTCDay();
    return { said, index, date, hasYear: year !== undefined, exists, fits };
  });
  const numeric = Array.from(text.matchAll(NUMERIC), ({ 0: said, 1: one, 3: two, 4: year = '', index }) => {
    const [first, second] = [Number(one), Number(two)];
    // 12/31 as in America.
    const { date, exists } = second > 12 ? dayOf(second, first - 1, year) : dayOf(first, second - 1, year);
    const weekday = placeIn(WEEKDAYS, WEEKDAY.exec(text.slice(0, index))?.[1] ?? '');
    return {
      said,
      index,
      date,
      hasYear: true,
      exists,
      fits: second > 12 || weekday < 0 || weekday === date.getUTCDay(),
    };
  });
  return [...named, ...numeric];
}

const placeIn = (languages: readonly (readonly string[])[], name: string) =>
  Math.max(...languages.map(names => names.indexOf(name.toLowerCase())));

function dayOf(day: number, month: number, year: string) {
  const date = new Date(Date.UTC(Number(year), month, day));
  return { date, exists: date.getUTCMonth() === month && day !== 0 };
}
