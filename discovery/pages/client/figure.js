/**
 * A number as a language writes it, with the sign of a currency where there is one. Intl refuses no three letters: a code that
 * is no currency comes back as it is.
 * @param {string} locale
 * @param {number} value
 * @param {string} [currency]
 */
export function numberIn(locale, value, currency) {
  const money = currency === undefined ? {} : { style: /** @type {const} */ ('currency'), currency };
  return value.toLocaleString(locale, {
    useGrouping: true,
    ...money,
    ...(currency && { minimumFractionDigits: 0 }),
  });
}

/**
 * A figure and what stands after it: `7.900 €` and `sin IVA` for 7900 and `EUR sin IVA` (ISO 4217). The server writes it, and
 * the check in the browser writes it again.
 * @param {string} locale
 * @param {{ value: number | string, unit?: string | undefined }} metric
 */
export function figureIn(locale, { value, unit = '' }) {
  if (typeof value === 'string') return { figure: value, unit };
  const [, currency, rest = unit] = /^([A-Z]{3})\b\s*(.*)$/s.exec(unit) ?? [];
  return { figure: numberIn(locale, value, currency), unit: rest };
}

/**
 * A date in words: `3 March 2026`.
 * @param {string} locale
 * @param {string | Date} date
 */
export function dateIn(locale, date) {
  const words = /** @type {const} */ ({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return new Date(date).toLocaleDateString(locale, words);
}
