import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { profileJsonSchema } from '../../brand/profile/json-schema.ts';
import { judgeDocument } from '../../brand/profile/profile.ts';
import { init } from '../../server/cli/init.ts';
import { run } from '../cli/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { EXAMPLE } from '../support/support.ts';
import { PROFILE } from '../trust/signed-profile.ts';

const validate = new Ajv({ strict: true, allErrors: true, formats: { 'date-time': true } }).compile(
  profileJsonSchema(),
);

function faultsOf(document: unknown): string[] {
  return validate(document) ? [] : (validate.errors ?? []).map(({ instancePath }) => instancePath);
}

describe('the schema of brand.json', () => {
  it('takes the example and every profile that the server takes', () => {
    assert.deepEqual(faultsOf(EXAMPLE), []);
    assert.deepEqual(faultsOf(PROFILE), []);
    const [first] = PROFILE.claims;
    const metric = { name: 'plazo', value: 7, baseline: 12 };
    assert.deepEqual(faultsOf({ ...PROFILE, claims: [{ ...first, claim_id: 'ñandú', metric }] }), []);
  });

  it('counts characters as the server does: an emoji is one', () => {
    const [first] = PROFILE.claims;
    for (const [length, paths] of [
      [120, []],
      [121, ['claims[0].category']],
    ] as const) {
      const document = { ...PROFILE, claims: [{ ...first, category: '🌱'.repeat(length) }], questions: [] };
      assert.deepEqual(
        judgeDocument(document).faults.map(({ path }) => path),
        paths,
      );
      assert.equal(faultsOf(document).length, paths.length);
    }
  });

  it('underlines what is missing, misspelt or too long', () => {
    const [first] = PROFILE.claims;
    const claims = [{ ...first, statment: 'x', category: 'x'.repeat(121), claim_id: 'a b' }];
    assert.deepEqual(faultsOf({ ...PROFILE, claims }).sort(), [
      '/claims/0',
      '/claims/0/category',
      '/claims/0/claim_id',
    ]);
    const { url: _, ...nowhere } = PROFILE;
    assert.deepEqual(faultsOf({ ...nowhere, names: [] }), ['', '/names']);
    assert.deepEqual(faultsOf({ ...PROFILE, language: 'es_ES' }), ['/language']);
  });

  it('stands beside the profile that aval init writes, where the profile says', async () => {
    const directory = temporaryFolder();
    await run(output => init({ directory, name: 'Acme', url: 'https://acme.example' }, output));
    const profile = JSON.parse(await readFile(join(directory, 'brand.json'), 'utf8'));
    const beside = JSON.parse(await readFile(join(directory, profile.$schema), 'utf8'));
    assert.deepEqual(beside, profileJsonSchema());
    assert.deepEqual(faultsOf(profile), []);
  });
});
