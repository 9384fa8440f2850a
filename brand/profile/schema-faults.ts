import type { z } from 'zod';
import { type Fault, fault, jsonPath } from './fault.ts';
import { type Found, isFindingCode } from './finding-words.ts';

/** What the schema finds, each with what to do. */
export function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues.flatMap(issue => {
    const { code, values } = foundIn(issue);
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    return paths.map(path => fault(jsonPath(path), code, ...values));
  });
}

const found = (code: Found['code'], ...values: readonly unknown[]): Found => ({ code, values: values.map(String) });

/** Where the schema has a rule of its own, its message is the code. */
function foundIn(issue: z.core.$ZodIssue): Found {
  switch (issue.code) {
    case 'invalid_type':
      return found(issue.message.endsWith('received undefined') ? 'missing' : 'wrong_kind', `@${issue.expected}`);
    case 'too_small':
      if (issue.origin !== 'string' && issue.origin !== 'array') return found('too_small', issue.minimum);
      return Number(issue.minimum) > 1 ? found('too_short', issue.minimum) : found('empty');
    case 'too_big':
      return found(TOO_BIG[issue.origin] ?? 'too_big', issue.maximum);
    case 'invalid_value':
      return found('not_listed', issue.values.map(value => JSON.stringify(value)).join(', '));
    case 'unrecognized_keys':
      return found('unknown_member');
    case 'invalid_key':
      return found('language_key');
    case 'invalid_union':
      return found('figure_or_text');
    default:
      return isFindingCode(issue.message) ? found(issue.message) : found('other', issue.message.replaceAll('\n', ' '));
  }
}

const TOO_BIG: Readonly<Record<string, Found['code']>> = { string: 'too_long', array: 'too_many' };
