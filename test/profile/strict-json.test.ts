import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JsonError, readStrictJson, tryParseJson } from '../../brand/profile/strict-json.ts';

const read = (text: string) => readStrictJson(new TextEncoder().encode(text));

function faultOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
  return 'none';
}

describe('the strict JSON reader', () => {
  it('reads what JSON.parse reads, and refuses whatever it refuses', () => {
    const json = fc.json({ maxDepth: 6 }).filter(text => !text.includes('__proto__'));
    const slip = fc.constantFrom('"', ',', '{', ']', '0', ' ', '\\', '\n', 'e', ':');
    fc.assert(
      fc.property(json, fc.nat(), slip, (text, place, insert) => {
        const value: unknown = JSON.parse(text);
        fc.pre(onlySafeNumbers(value));
        assert.deepEqual(read(text), value);
        const cut = place % (text.length + 1);
        const edited = text.slice(0, cut) + insert + text.slice(cut);
        if (tryParseJson(edited) === undefined) assert.throws(() => read(edited), JsonError);
      }),
    );
  });

  for (const [text, fault] of [
    ['{"a":[{"b":1,"b":2}]}', 'a[0].b: the same name twice in one object (line 1)'],
    ['{"a":1,"\\u0061":2}', 'a: the same name twice in one object (line 1)'],
    ['{"constructor":1,"constructor":1}', 'constructor: the same name twice in one object (line 1)'],
    ['{"a":{"__proto__":{"b":1}}}', 'a.__proto__: a name that libraries read differently (line 1)'],
    ['{"a":["\\ud800"]}', 'a[0]: half of a surrogate pair (line 1)'],
    ['{"a":"\\udc00\\ud800"}', 'a: half of a surrogate pair (line 1)'],
    ['{"a b":9007199254740992}', '["a b"]: an integer beyond 9007199254740991, which readers round (line 1)'],
    ['[-9007199254740993]', '[0]: an integer beyond 9007199254740991, which readers round (line 1)'],
    ['[1e400]', '[0]: a number too large for any reader (line 1)'],
    ['\uFEFF{}', 'begins with a byte order mark (line 1)'],
    ['{"a":\n [1,]}', 'value expected (line 2)'],
    ['{"a" 1}', 'colon expected (line 1)'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}: ${fault}`, () => assert.equal(faultOf(text), fault));
  }

  it('refuses bytes that are not UTF-8', () => {
    assert.throws(() => readStrictJson(Uint8Array.of(0x22, 0xff, 0x22)), /is not UTF-8/);
    assert.throws(() => readStrictJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), /is not UTF-8/);
  });

  it('reads 64 levels, and no more, however many follow', () => {
    assert.doesNotThrow(() => read('['.repeat(64) + ']'.repeat(64)));
    assert.match(faultOf('['.repeat(65) + ']'.repeat(65)), /nested deeper than 64 levels/);
    assert.match(faultOf('['.repeat(5_000_000)), /nested deeper than 64 levels/);
  });
});

function onlySafeNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(onlySafeNumbers);
}
