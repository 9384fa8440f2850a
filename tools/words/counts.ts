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

/** A wait in whole minutes, rounded up, or from two hours on in hours. */
export function waitText(
  seconds: number,
  words: Readonly<Record<'minute' | 'minutes' | 'hour' | 'hours', string>>,
): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  if (count === 1) return words.minute;
  if (count === 60) return words.hour;
  return count < 120 ? `${count} ${words.minutes}` : `${Math.ceil(count / 60)} ${words.hours}`;
}
