import * as z from 'zod';

interface TextField {
  readonly min: number;
  readonly max: number;
  readonly description: string;
  /** Absent where it is made of the profile in use. */
  readonly example?: string;
}

/**
 * A text field: trimmed, lone surrogates replaced, bounds in code points as in JSON Schema (zod counts UTF-16 units).
 * The JSON Schema gets the same bounds as `minLength`, `maxLength` and `pattern`.
 */
export function text({ min, max, description, example }: TextField) {
  return z
    .string({ error: issue => (issue.input === undefined ? 'required' : 'must be text') })
    .overwrite(value => value.toWellFormed().trim())
    .superRefine((value, context) => {
      const length = codePoints(value);
      if (length < min) context.addIssue(value === '' ? 'required' : `at least ${plural(min)}`);
      if (length > max) context.addIssue(`at most ${plural(max)}`);
    })
    .meta({
      minLength: min,
      maxLength: max,
      pattern: trimmedAtLeast(min),
      description,
      ...(example !== undefined && { examples: [example] }),
    });
}

/** JavaScript trims the byte order mark as well; other regular expressions do not count it as space. */
const INK = '[^\\s\\uFEFF]';

/** Matches a text with that many characters between its first and its last that is no space. */
function trimmedAtLeast(length: number): string {
  return length < 2 ? INK : `${INK}[\\s\\S]{${length - 2},}${INK}`;
}

/** The question of /ask and ask_brand. */
export const QUERY = text({
  min: 1,
  max: 2000,
  description: 'A question in natural language, Spanish or English, 1 to 2000 characters.',
});

export const NAME = text({
  min: 2,
  max: 120,
  description: 'Name of the person, 2 to 120 characters.',
  example: 'Ana Ruiz',
});

export const EMAIL = text({
  min: 1,
  max: 200,
  description: 'A valid email address at which the person can be answered, at most 200 characters.',
  example: 'ana@example.org',
})
  .refine(value => ADDRESS.test(value), 'must be a valid email address')
  .meta({ format: 'email' });

export const COMPANY = text({
  min: 1,
  max: 200,
  description: 'Company or brand, 1 to 200 characters.',
  example: 'Conservas Ejemplo',
});

export const ROLE = text({
  min: 1,
  max: 120,
  description: "The person's role there, 1 to 120 characters.",
  example: 'Directora de marketing',
});

export const COUNTRY = text({ min: 1, max: 80, description: 'Country, 1 to 80 characters.', example: 'España' });

/** What both forms ask last; each says what belongs in it. */
export const context = (description: string, example: string) =>
  text({ min: 10, max: 4000, description: `${description} 10 to 4000 characters.`, example });

/**
 * One plain ASCII address with a dotted domain (WHATWG HTML, valid e-mail address): nothing that mail could read as two.
 * What passes here must be an address to the mailer too (server/mail/text.ts), or nobody could be answered: hence at
 * most 64 characters before the @ (RFC 5321, 4.5.3.1.1) and at least two in the last label.
 */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d][a-z\d-]{0,61}[a-z\d]$/i;

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const plural = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
