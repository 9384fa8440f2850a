import { domainToASCII } from 'node:url';
import * as z from 'zod';
import type { Messages } from '../language/es.ts';
import type { Rule } from './faults.ts';

interface TextField {
  readonly min: number;
  readonly max: number;
  readonly description: string;
  /** Absent where the profile in use provides it. */
  readonly example?: string;
}

/**
 * A text field: trimmed, lone surrogates replaced, bounds in code points as in JSON Schema (zod counts UTF-16 units).
 * The JSON Schema gets the same bounds as `minLength`, `maxLength` and `pattern`.
 */
export function text({ min, max, description, example }: TextField) {
  return z
    .string({ error: issue => rule(issue.input === undefined ? 'required' : 'text') })
    .overwrite(value => value.toWellFormed().trim())
    .superRefine((value, context) => {
      const length = codePoints(value);
      if (value === '' && min > 0) context.addIssue(rule('required'));
      else if (length < min) context.addIssue(boundIssue('atLeast', min));
      if (length > max) context.addIssue(boundIssue('atMost', max));
    })
    .meta({
      minLength: min,
      maxLength: max,
      pattern: trimmedAtLeast(min),
      description,
      ...(example !== undefined && { examples: [example] }),
    });
}

/** The message of an issue is the rule alone; `faults.ts` reads it. */
const rule = (name: Rule): Rule => name;

/** The last issue of its field. */
const boundIssue = (name: Rule, bound: number) =>
  ({ code: 'custom', message: name, params: { bound }, continue: false }) as const;

/** JavaScript trims the byte order mark as well; other regular expressions do not count it as space. */
const INK = '[^\\s\\uFEFF]';

/** Matches a text with that many characters between its first and its last that is no space. */
function trimmedAtLeast(length: number): string {
  return length < 2 ? INK : `${INK}[\\s\\S]{${length - 2},}${INK}`;
}

/** Code points of the longest question. */
export const MAX_QUERY = 2000;

/** The question of /ask and ask_brand. */
export const QUERY = text({ min: 1, max: MAX_QUERY, description: `A question, 1 to ${MAX_QUERY} characters.` });

/** Every field that a form can ask for, with examples in the language of the brand. */
export function formFields({ placeholders, choices }: Messages) {
  return {
    name: text({
      min: 2,
      max: 120,
      description: 'Name of the person, 2 to 120 characters.',
      example: placeholders.name,
    }),
    email: text({
      min: 1,
      max: 200,
      description: 'Valid email address of the person, at most 200 characters.',
      example: placeholders.email,
    })
      .overwrite(value => mailAddress(value) ?? value)
      .refine(value => mailAddress(value) !== undefined, rule('email'))
      .meta({ format: 'email' }),
    company: text({
      min: 1,
      max: 200,
      description: 'Company or brand, 1 to 200 characters.',
      example: placeholders.company,
    }),
    role: text({
      min: 1,
      max: 120,
      description: "The person's role there, 1 to 120 characters.",
      example: placeholders.role,
    }),
    size: text({
      min: 1,
      max: 40,
      description: `Team size, 1 to 40 characters. Choices: ${choices.size.join('; ')}.`,
      example: choices.size[2] ?? '',
    }),
    level: text({
      min: 1,
      max: 80,
      description: `Program level, 1 to 80 characters. Choices: ${choices.level.join('; ')}.`,
      example: choices.level[4] ?? '',
    }),
    country: text({ min: 1, max: 80, description: 'Country, 1 to 80 characters.', example: placeholders.country }),
  };
}

/** What every form asks last; each says what belongs in it. */
export const context = (description: string, example: string) =>
  text({ min: 10, max: 4000, description: `${description} 10 to 4000 characters.`, example });

/**
 * The one address that a text is, as any mail server takes it, or `undefined`: dot-atoms before the @ and a dotted domain
 * after it (RFC 5322, 3.4.1; lengths of RFC 5321, 4.5.3.1), so that mail can neither read two addresses nor a name in it.
 * A domain in other letters is written in ASCII (IDNA, UTS 46); a last label of digits would be an IP address.
 */
export function mailAddress(text: string): string | undefined {
  if (text.length > 254) return undefined;
  const [, local = '', domain = ''] = /^([^@]*)@([^@%]+)$/.exec(text) ?? [];
  const address = `${local}@${/[^\0-\x7f]/.test(domain) ? domainToASCII(domain) : domain}`;
  return address.length <= 254 && ADDRESS.test(address) ? address : undefined;
}

const ADDRESS =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])$/i;

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
