/** `1 request`, `2 requests`. */
export const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The length of a window in English, after "per": `minute`, `2 hours`. */
export function windowText(seconds: number): string {
  const [name, size] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
  return seconds === size ? name : countText(seconds / size, name);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * A number of minutes or hours in a language.
 * @example amountText('es-ES', 48, 'hour'); // '48 horas'
 */
export const amountText = (locale: string, count: number, unit: 'minute' | 'hour'): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(
    count,
  );

/** A wait in whole minutes, rounded up, or from two hours on in hours. */
export function waitText(locale: string, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes < 120
    ? amountText(locale, minutes, 'minute')
    : amountText(locale, Math.ceil(minutes / 60), 'hour');
}
