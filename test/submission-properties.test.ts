// contract: 3.2, 3.4
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import addressparser from 'nodemailer/lib/addressparser/index.js';
import { ServiceError } from '../tools/errors.ts';
import { faultLine } from '../tools/faults.ts';
import { mailAddress } from '../tools/fields.ts';
import { TOOLS } from '../tools/index.ts';
import type { ObjectSchema } from '../tools/object-schema.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { anyText } from './any-text.ts';
import { DIAGNOSTIC, PARTNER } from './submission-support.ts';

type Fields = Readonly<Record<string, string>>;

/** What the tool says to an input: the fields it would deliver, or its issues. */
async function judge(tool: Tool, input: unknown): Promise<{ fields?: Fields; issues?: readonly string[] }> {
  let fields: Fields | undefined;
  const context: ToolContext = {
    brand: undefined,
    mode: 'production',
    origin: { channel: 'rest', clientHash: 'client', visitor: 'agent' },
    deliver: async submission => {
      fields = submission.fields;
      return { outcome: 'delivered', id: 'sub-1', reference: 'BCDF-1234', confirmation: 'due' };
    },
    isReplay: async () => false,
  };
  try {
    await tool.call(input, context, async () => async () => {});
    return { ...(fields && { fields }) };
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'validation_error', String(error));
    return { issues: (error.details.issues ?? []).map(faultLine) };
  }
}

/** Trimming and whole characters: what the validator does before it measures, and a schema cannot say. */
function asMeasured(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed().trim() : value,
  ]);
  return Object.fromEntries(entries);
}

/** Text near a bound, of letters that count differently in bytes, UTF-16 units and code points. */
const letter = fc.constantFrom('a', 'ñ', '字', '🍣', '👩‍🚀', '\u0301', ' ', '\n', '\u00a0', '\ud83c', '"', '\u0000');
const near = (bound: number) =>
  fc
    .tuple(fc.integer({ min: -2, max: 2 }), letter, letter, fc.constantFrom('', ' ', '\t\n'))
    .map(
      ([offset, filling, edge, space]) => `${space}${edge}${filling.repeat(Math.max(0, bound + offset - 1))}${space}`,
    );

const anything = fc.oneof(anyText({ maxLength: 20 }), fc.jsonValue());

/** A good submission with some fields replaced by text near their own bounds or by anything, left out or added. */
function inputNear(good: Fields, { properties }: ObjectSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(good).filter(name => name !== 'email');
  const change = fc.constantFrom(...names).chain(name => {
    const bounds = fc.constantFrom(Number(properties[name]?.minLength), Number(properties[name]?.maxLength));
    const value = fc.oneof({ weight: 6, arbitrary: bounds.chain(near) }, { weight: 1, arbitrary: anything });
    return fc.tuple(fc.constant(name), value);
  });
  const unknown = fc.tuple(fc.constantFrom('phone', '__proto__', 'Name', '', 'toString'), anything);
  return fc
    .tuple(
      fc.array(change, { maxLength: 3 }),
      fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 }),
      fc.option(unknown, { nil: undefined, freq: 2 }),
    )
    .map(([changes, dropped, extra]) => {
      const changed = Object.entries({ ...good, ...Object.fromEntries(changes) });
      const kept = changed.filter(([name]) => name !== dropped);
      // Through JSON, as every surface reads it: `__proto__` becomes a member of its own.
      return JSON.parse(JSON.stringify(Object.fromEntries(extra ? [...kept, extra] : kept)));
    });
}

const [, requestDiagnostic, applyPartnerProgram] = TOOLS;
assert.ok(requestDiagnostic && applyPartnerProgram);

const ajv = new Ajv2020({ strict: true });

for (const [tool, good] of [
  [requestDiagnostic, DIAGNOSTIC],
  [applyPartnerProgram, PARTNER],
] as const) {
  describe(`the validator of ${tool.name}`, () => {
    const { inputSchema } = tool.listed();
    const accepts = ajv.compile(inputSchema);

    it('agrees with the published input schema, up to trimming and the form of an email', async () => {
      let [valid, invalid] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 9, arbitrary: inputNear(good, inputSchema) }, fc.jsonValue()),
          async input => {
            const { issues, fields } = await judge(tool, input);
            assert.equal(issues === undefined, accepts(asMeasured(input)), JSON.stringify([input, issues]));
            if (fields) assert.deepEqual(fields, asMeasured(input));
            if (issues) invalid += 1;
            else valid += 1;
          },
        ),
        { numRuns: 2000 },
      );
      assert.ok(valid > 200 && invalid > 200, `${valid} valid, ${invalid} invalid: the inputs test both`);
    });
  });
}

describe('an email that the validator accepts', () => {
  const marks = fc.constantFrom(...'aB1.-_+@ ,<>"\\ñ\u0000\n'.split(''), '.es', '@b.example');
  const nearly = fc.array(marks, { maxLength: 8 }).map(parts => parts.join(''));
  /** An address whose parts are about as long as parts may be. */
  const long = fc
    .tuple(fc.integer({ min: 62, max: 66 }), fc.integer({ min: 61, max: 65 }), fc.integer({ min: 1, max: 3 }))
    .map(([local, label, last]) => `${'a'.repeat(local)}@${'b'.repeat(label)}.${'c'.repeat(last)}`);

  it('is one address to the mailer, in ASCII, without a name', async () => {
    let accepted = 0;
    const emails = fc.oneof(
      nearly,
      long,
      fc.emailAddress(),
      fc.tuple(nearly, nearly).map(([a, b]) => `a${a}@b${b}.example`),
    );
    await fc.assert(
      fc.asyncProperty(emails, async email => {
        const { fields } = await judge(requestDiagnostic, { ...DIAGNOSTIC, email });
        if (!fields) return;
        accepted += 1;
        const { email: kept = '' } = fields;
        assert.match(kept, /^[\x21-\x7e]+$/);
        assert.deepEqual(addressparser(kept), [{ address: kept, name: '' }]);
        assert.equal(mailAddress(kept), kept);
        if (/^[\x20-\x7e]*$/.test(email)) assert.equal(kept, email.trim());
      }),
      { numRuns: 3000 },
    );
    assert.ok(accepted > 300, `${accepted} accepted`);
  });
});
