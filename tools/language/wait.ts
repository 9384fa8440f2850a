/** A wait in whole minutes, rounded up; in hours from two on. */
export function waitText(
  seconds: number,
  words: Readonly<Record<'minute' | 'minutes' | 'hour' | 'hours', string>>,
): string {
  const count = Math.max(1, Math.ceil(seconds / 60));
  if (count === 1) return words.minute;
  if (count === 60) return words.hour;
  return count < 120 ? `${count} ${words.minutes}` : `${Math.ceil(count / 60)} ${words.hours}`;
}
