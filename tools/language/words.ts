import type { Kind, Messages } from './es.ts';

/** A line of `issues`, as a person reads it. */
export interface FieldIssue {
  readonly field: string;
  readonly label: string;
  /** What is said after the label. */
  readonly rule: string;
}

type Rules = Messages['rules'];

/** Rules of the contract's `field: rule`, in the words of a language. */
const RULES: readonly [pattern: RegExp, words: (rules: Rules, count: number) => string][] = [
  [/^required$/, ({ required }) => required],
  [/^at least (\d+) characters?$/, ({ atLeast }, count) => atLeast(count)],
  [/^at most (\d+) characters?$/, ({ atMost }, count) => atMost(count)],
  [/^must be a valid email address$/, ({ email }) => email],
  [/^must be text$/, ({ text }) => text],
  [/^unknown field$/, ({ unknown }) => unknown],
];

/** `email: required` → `Correo`, `es obligatorio`. A field or rule of no row stands as it came. */
export function fieldIssue(issue: string, { fields, rules }: Pick<Messages, 'fields' | 'rules'>): FieldIssue {
  const [field = '', rule = ''] = issue.split(/: (.*)/s);
  const label = wordFor(fields, field) ?? field;
  for (const [pattern, words] of RULES) {
    const found = pattern.exec(rule);
    if (found) return { field, label, rule: words(rules, Number(found[1])) };
  }
  return { field, label, rule };
}

/** The word of a key that may be anything: `constructor` is no row of a table. */
export function wordFor(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** `1 request`, `2 requests`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The success of a submission: on the page, in JSON and in the confirmation by mail. */
export const receivedText = ({ actions, reply }: Messages, kind: Kind, hours: number): string =>
  `${actions[kind].received}. ${reply(hours)}`;
