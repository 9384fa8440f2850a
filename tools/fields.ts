import { domainToASCII } from 'node:url';
import * as z from 'zod';
import { isBlank, visibleLength, visibleLine } from '../brand/profile/visible.ts';
import type { Rule } from './faults.ts';
import type { Messages } from './words/es.ts';

interface TextField {
  readonly min: number;
  readonly max: number;
  /** Beginning of the description, before the bounds: `Name of the person,`. */
  readonly what: string;
  /** Suggestions of a form. The field takes any text. */
  readonly choices?: readonly string[];
  /** Absent if the profile provides it. */
  readonly example?: string;
}

/**
 * Line breaks as LF. Browsers send CR LF in forms and old systems CR. Two characters for each line break
 * would make a text of 3,700 characters in the browser one of 4,000 here.
 */
export const plainLineBreaks = (value: string): string =>
  value.replaceAll('\r\n', '\n').replaceAll('\r', '\n');

/**
 * A text field: trimmed, line breaks made LF, lone surrogates replaced, bounds in code points as in JSON
 * Schema. The JSON Schema gets the same bounds as `minLength`, `maxLength` and
 * `pattern`.
 */
function text({ min, max, what, choices, example }: TextField) {
  return z
    .string({ error: issue => rule(issue.input === undefined ? 'required' : 'text') })
    .overwrite(value => plainLineBreaks(value.toWellFormed()).trim())
    .superRefine((value, context) => {
      if (isBlank(value)) context.addIssue(rule('required'));
      else if (visibleLength(value) < min) context.addIssue(boundIssue('atLeast', min));
      if ([...value].length > max) context.addIssue(boundIssue('atMost', max));
    })
    .meta({
      minLength: min,
      maxLength: max,
      pattern: visibleAtLeast(min),
      description: `${what} ${min} to ${max} characters.${choices ? ` Choices: ${choices.join('; ')}.` : ''}`,
      ...(example !== undefined && { examples: [example] }),
    });
}

/** The message of an issue is the name of a rule. `faults.ts` reads it. */
const rule = (name: Rule): Rule => name;

const boundIssue = (name: Rule, bound: number) =>
  ({ code: 'custom', message: name, params: { bound }, continue: false }) as const;

/*
 * Any character that somebody sees, for every engine of regular expressions: those below U+10000 that `isBlank`
 * takes for invisible, by name. Examples of what it does not match: " ", "\u00AD", "\u200B", "\u3164".
 */
const VISIBLE =
  '[^\\s\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F' +
  '\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]';

/** Pattern of a text that has at least `length` characters from the first visible one to the last. */
function visibleAtLeast(length: number): string {
  return length < 2 ? VISIBLE : `${VISIBLE}[\\s\\S]{${length - 2},}${VISIBLE}`;
}

/** Code points of the longest question. */
export const MAX_QUERY = 2000;

/** The question of /ask and ask_brand. */
export const QUERY = text({ what: 'A question,', min: 1, max: MAX_QUERY });

/**
 * Every field that a form can ask for, with examples in the language of the brand.
 * @param levels of the partner program; the last one means "not sure"
 */
export function formFields({ placeholders, choices }: Messages, levels: readonly string[] = choices.level) {
  return {
    name: text({ what: 'Name of the person,', min: 2, max: 120, example: placeholders.name }),
    email: text({ what: 'Email', min: 1, max: 200, example: placeholders.email })
      .overwrite(value => mailAddress(value) ?? mailAddress(visibleLine(value).trim()) ?? value)
      .superRefine((value, context) => {
        const fault = addressFault(value);
        if (fault !== undefined) context.addIssue(fault);
      })
      .meta({ format: 'email', description: 'Valid email address of the person, at most 200 characters.' }),
    company: text({ what: 'Company or brand,', min: 1, max: 200, example: placeholders.company }),
    role: text({ what: "The person's role there,", min: 1, max: 120, example: placeholders.role }),
    size: text({
      what: 'Team size,',
      min: 1,
      max: 40,
      choices: choices.size,
      example: choices.size[2] ?? '',
    }),
    level: text({ what: 'Program level,', min: 1, max: 80, choices: levels, example: levels.at(-1) ?? '' }),
    country: text({ what: 'Country,', min: 1, max: 80, example: placeholders.country }),
  };
}

/** The field `context`, the last one of every form. @param what beginning of its description */
export const context = (what: string, example: string) => text({ what, min: 10, max: 4000, example });

/**
 * Reads a text as one e-mail address that any mail server accepts: dot-atoms, `@`, a domain with a dot (RFC
 * 5322, 3.4.1; lengths of RFC 5321, 4.5.3.1). No mail program can read two addresses or a name in it. A
 * domain in other letters becomes ASCII (IDNA, UTS 46). A last label of digits is refused, since it is an IP
 * address.
 * @returns undefined for any other text
 * @example mailAddress('ana@peñón.example'); // 'ana@xn--pen-8mak.example'
 */
export function mailAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  const [local = '', domain = '', ...further] = text.split('@');
  if (further.length > 0 || domain.includes('%') || !isLocalPart(local)) return undefined;
  const ascii = isAscii(domain) ? domain : domainToASCII(domain);
  const address = `${local}@${ascii}`;
  return isDomain(ascii) && address.length <= MAX_ADDRESS ? address : undefined;
}

const MAX_ADDRESS = 254;

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

const isLocalPart = (local: string) =>
  local.length <= 64 && local.split('.').every(atom => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom));

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && labels.every(isLabel) && last.length > 1 && !/^\d+$/.test(last);
}

const isLabel = (label: string) =>
  /^[a-z\d-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-');

/** The rule that a text breaks as an address. Undefined for an address. */
function addressFault(text: string): Rule | undefined {
  if (mailAddress(text) !== undefined) return undefined;
  const [local = '', domain, ...further] = text.split('@');
  const isOneAddress = domain !== undefined && further.length === 0 && !/[<>,;:]/.test(text);
  if (isOneAddress && /[^!#-~]/.test(local)) return 'emailLocal';
  return 'email';
}
