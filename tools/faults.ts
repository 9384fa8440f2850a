import type * as z from 'zod';
import { shortened, visibleLine } from '../brand/profile/visible.ts';
import { countText } from './words/counts.ts';

/** What is wrong with one field, as data. Pages translate it; `faultLine` gives the contract's words. */
export interface FieldFault {
  /** The field name that the client sent, shortened to one line. */
  readonly field: string;
  readonly rule: Rule;
  /** The number in the rule: characters, or further faults. */
  readonly bound?: number | undefined;
}

/** Every rule of a field, in the contract's words. */
const RULES = {
  required: 'required',
  text: 'must be text',
  atLeast: (bound: number) => `at least ${countText(bound, 'character')}`,
  atMost: (bound: number) => `at most ${countText(bound, 'character')}`,
  email: 'must be a valid email address',
  emailLocal:
    'must be a valid email address: before the @ it may have no accents, spaces, quotes or ' +
    'letters beyond a to z',
  once: 'must be sent once',
  unknown: 'unknown field',
  object: 'must be a JSON object',
  more: (bound: number) => `${bound} more faults`,
  ownAddress: 'must be an address of this site or of ALLOWED_ORIGINS',
  oneKey: (bound: number) => `one value of 1 to ${bound} characters`,
  newKey: 'already used with another body',
} as const satisfies RuleWords;

export type Rule = keyof typeof RULES;

/** The words of rules. A function takes the bound. */
type RuleWords = Readonly<Record<string, string | ((bound: number) => string)>>;

/**
 * The contract's `field: rule`.
 * @example faultLine({ field: 'email', rule: 'email' }); // 'email: must be a valid email address'
 */
export const faultLine = (fault: FieldFault): string => `${fault.field}: ${ruleText(fault)}`;

/** The rule without the field. @param words of a language, for the rules that it has */
export function ruleText({ rule, bound = 0 }: FieldFault, words: RuleWords = {}): string {
  const text = words[rule] ?? RULES[rule];
  return typeof text === 'function' ? text(bound) : text;
}

/** Faults in one answer. Thousands of unknown fields must not get an answer larger than the request. */
export const MOST_FAULTS = 20;

/**
 * The issues of a zod schema whose messages are rules: one fault per field, unknown fields included.
 * @example
 * const { error } = schema.safeParse(input);
 * if (error) throw new ServiceError('validation_error', { issues: fieldFaults(error) });
 */
export function fieldFaults(error: z.ZodError): FieldFault[] {
  const faults = error.issues.flatMap(faultsOf);
  const firstFaults = faults.length <= MOST_FAULTS ? faults : faults.slice(0, MOST_FAULTS - 1);
  const named = firstFaults.map(fault => ({ ...fault, field: printableName(fault.field) }));
  if (firstFaults === faults) return named;
  return [...named, { field: 'body', rule: 'more', bound: faults.length - firstFaults.length }];
}

/** The faults of an issue. Field names are not yet shortened. */
function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(field => ({ field, rule: 'unknown' }));
  if (issue.path.length === 0) return [{ field: 'body', rule: 'object' }];
  const bound: unknown = issue.code === 'custom' ? issue.params?.bound : undefined;
  return [
    {
      field: issue.path.map(String).join('.'),
      rule: isRule(issue.message) ? issue.message : 'text',
      ...(typeof bound === 'number' && { bound }),
    },
  ];
}

const isRule = (message: string): message is Rule => Object.hasOwn(RULES, message);

/** A name that the client chose: on one line, at most 60 characters. */
function printableName(name: string): string {
  return shortened(visibleLine(name), 60);
}
