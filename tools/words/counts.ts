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
 * A wait in whole minutes, rounded up, or from two hours on in hours.
 * @example waitText('es-ES', 90); // '2 minutos'
 */
export function waitText(locale: string, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const isLong = minutes >= 120;
  const unit = isLong ? 'hour' : 'minute';
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    useGrouping: false,
  });
  return format.format(isLong ? Math.ceil(minutes / 60) : minutes);
}
