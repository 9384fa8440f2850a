import type { z } from 'zod';
import { type Fault, jsonPath } from './fault.ts';

/** What the schema finds, in the words of whoever writes a profile, each with what to do. */
export function schemaFaults(error: z.ZodError): Fault[] {
  return error.issues.flatMap(issue => {
    const [message, fix] = words(issue);
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    return paths.map(path => ({ path: jsonPath(path), message, fix }));
  });
}

/** Message and fix. Where the schema has its own message, that says what is expected. */
function words(issue: z.core.$ZodIssue): readonly [string, string] {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return ['is missing', `add it, as ${KINDS[issue.expected]}`];
      return [`must be ${KINDS[issue.expected] ?? issue.expected}`, 'change the value'];
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? ['is empty', 'fill it in, or remove the member where it is optional']
        : [`must be at least ${issue.minimum}`, 'change the value'];
    case 'too_big':
      return [`is longer than ${issue.maximum} ${UNITS[issue.origin] ?? ''}`.trimEnd(), 'shorten it'];
    case 'invalid_value':
      return [`must be one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`, 'choose one of them'];
    case 'unrecognized_keys':
      return ['unknown member', 'remove it, or look for a slip in its name'];
    case 'invalid_key':
      return ['must be a language tag', 'write it like "es" or "en-GB"'];
    case 'invalid_union':
      return ['must be a number, or a text of some characters', 'write a number, or a text in double quotes'];
    default:
      return [issue.message.replaceAll('\n', ' '), 'change the value'];
  }
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text in double quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false, without quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
};
