import type { Kind, Messages } from './es.ts';

/** The word of a key that may be anything: `constructor` is no row of a table. */
export function wordFor(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** `1 request`, `2 requests`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The success of a submission: on the page, in JSON and in the confirmation by mail. */
export const receivedText = ({ actions, reply }: Messages, kind: Kind, hours: number): string =>
  `${actions[kind].received}. ${reply(hours)}`;
