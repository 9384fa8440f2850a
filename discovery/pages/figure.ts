/** A number as a language writes it, with the sign of a currency (ISO 4217) where there is one. */
export function numberIn(locale: string, value: number, currency?: string): string {
  const money =
    currency === undefined ? {} : ({ style: 'currency', currency, minimumFractionDigits: 0 } as const);
  return value.toLocaleString(locale, { useGrouping: true, ...money });
}

interface Quantity {
  readonly value: number | string;
  readonly unit?: string | undefined;
}

/** A figure and what stands after it: `7.900 €` and `sin IVA` for 7900 and `EUR sin IVA`. */
export function figureIn(locale: string, { value, unit = '' }: Quantity): { figure: string; unit: string } {
  if (typeof value === 'string') return { figure: value, unit };
  const [, currency, rest = unit] = /^([A-Z]{3})\b\s*(.*)$/s.exec(unit) ?? [];
  return { figure: numberIn(locale, value, currency), unit: rest };
}

/** A date in words: `3 March 2026`. */
export function dateIn(locale: string, date: string | Date): string {
  const words = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(date).toLocaleDateString(locale, words);
}
