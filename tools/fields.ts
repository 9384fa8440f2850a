import * as z from 'zod';

interface TextField {
  readonly min: number;
  readonly max: number;
  readonly description: string;
  readonly example: string;
}

/**
 * A text field: trimmed, lone surrogates replaced, bounds in code points as in JSON Schema (zod counts UTF-16 units).
 * The published schema gets the same bounds as `minLength` and `maxLength`.
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
    .meta({ minLength: min, maxLength: max, description, examples: [example] });
}

/** The question of /ask and ask_brand. */
export const QUERY = text({
  min: 1,
  max: 2000,
  description: 'A question in natural language, Spanish or English, 1 to 2000 characters.',
  example: '¿Cuánto cuesta el diagnóstico?',
});

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const plural = (count: number) => `${count} character${count === 1 ? '' : 's'}`;
