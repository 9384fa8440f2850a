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
/** The days of the calendar that a text names, in Spanish or English: `31 de febrero`, `30 April 2025`, `12/05/2027`. */
export function daysIn(text: string) {
  const named = Array.from(
    text.matchAll(DAY_OF_MONTH),
    ({ 0: said, 1: day, 2: name = '', 3: year, index }) => {
      return { said, index, year, day: Number(day), month: placeIn(MONTHS, name) };
    },
  );
  const numeric = Array.from(text.matchAll(NUMERIC), ({ 0: said, 1: one, 3: two, 4: year, index }) => {
    // 12/31 as in America.
    const [day, month] = Number(two) > 12 ? [Number(two), Number(one)] : [Number(one), Number(two)];
    return { said, index, year, day, month: month - 1 };
  });
  return [...named, ...numeric].map(({ said, index, year, day, month }) => {
    // Without a year, that of a leap year.
    const date = new Date(Date.UTC(Number(year ?? 2028), month, day));
    const weekday = placeIn(WEEKDAYS, WEEKDAY.exec(text.slice(0, index))?.[1] ?? '');
    return {
      ...{ said, index, date, hasYear: year !== undefined },
      /** Whether a calendar has it. */
      exists: date.getUTCMonth() === month && day !== 0,
      /** Whether it falls on the weekday that is said before it. */
      fits: year === undefined || weekday < 0 || weekday === date.getUTCDay(),
    };
  });
}

const placeIn = (languages: readonly (readonly string[])[], name: string) =>
  Math.max(...languages.map(names => names.indexOf(name.toLowerCase())));
