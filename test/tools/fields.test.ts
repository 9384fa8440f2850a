import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { isBlank } from '../../brand/profile/visible.ts';
import { formFields, QUERY } from '../../tools/fields.ts';
import { en } from '../../tools/words/en.ts';

const patternOf = (schema: z.ZodType) =>
  new RegExp(z.toJSONSchema(schema, { io: 'input' }).pattern ?? '', 'u');

describe('the pattern of a text in the published schemas', () => {
  it('takes every character below U+10000 that the service takes for visible, and no other', () => {
    const pattern = patternOf(QUERY);
    const differing: string[] = [];
    for (let code = 0; code < 0x10000; code += 1) {
      const character = String.fromCharCode(code).toWellFormed();
      if (pattern.test(character) === isBlank(character)) differing.push(code.toString(16));
    }
    assert.deepEqual(differing, []);
  });

  it('counts from the first visible character to the last, as the service does', () => {
    const { name } = formFields(en);
    const pattern = patternOf(name);
    for (const text of ['Al', 'A l', '\u200BAl\u3164', 'A\u200Bl', 'A\u0086', '\u0086A', 'A', '\u3164\u3164'])
      assert.equal(pattern.test(text), name.safeParse(text).success, JSON.stringify(text));
  });
});
