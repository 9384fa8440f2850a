import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brandName, loadProfile, ProfileError, readProfile } from '../../brand/profile/profile.ts';
import { isWebAddress } from '../../brand/profile/web-address.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bytesOf, faultsOf, PROFILE } from '../trust/signed-profile.ts';

const [claim] = PROFILE.claims;
const [proof] = PROFILE.proofs;

describe('the name of a brand', () => {
  it('is the one in the language of the profile, whatever the region', () => {
    const nameIn = (language: string, names: Record<string, string>[]) =>
      brandName({ ...readProfile(bytesOf(PROFILE)).profile, language, names });
    assert.equal(nameIn('en-GB', [{ es: 'Norte' }, { en: 'North' }]), 'North');
    assert.equal(nameIn('en-GB', [{ 'en-US': 'North, Inc.' }, { en: 'North' }]), 'North');
    assert.equal(nameIn('en-GB', [{ en: 'North', 'en-GB': 'North Ltd' }]), 'North Ltd');
    assert.equal(nameIn('en', [{ es: 'Norte' }, { en_US: 'North, Inc.' }]), 'North, Inc.');
    assert.equal(nameIn('fr', [{ es: 'Norte' }, { en: 'North' }]), 'Norte');
  });
});

describe('the profile loader', () => {
  it('keeps every text as it is, spaces included, and adds nothing to the document', () => {
    const { language: _, ...others } = PROFILE;
    const document = {
      ...others,
      questions: [],
      claims: [{ ...claim, statement: '  Text with its spaces ' }],
    };
    const loaded = readProfile(bytesOf(document));
    assert.equal(loaded.profile.claims[0]?.statement, '  Text with its spaces ');
    assert.equal(loaded.profile.language, 'es');
    assert.deepEqual(loaded.document, document);
  });

  it('says each fault in words for whoever writes, with what to do', () => {
    const metric = { name: '', value: true, n: 1.5 };
    const claims = [{ ...claim, metric, category: 7, statement: 'x'.repeat(2001), proof_ids: 'prf-case' }];
    const proofs = [{ ...proof, confidentiality: 'secret' }];
    assert.deepEqual(faultsOf({ claims, proofs, questions: [] }), [
      'claims[0].statement: is longer than 2000 characters',
      'claims[0].category: must be a text in double quotes',
      'claims[0].metric.name: is empty',
      'claims[0].metric.value: must be a number, or a text of some characters',
      'claims[0].metric.n: must be a whole number without quotes',
      'claims[0].proof_ids: must be a list in [ ]',
      'proofs[0].confidentiality: must be one of "public", "anonymised", "on_request", "confidential"',
    ]);
  });

  it('says what does not fit together: dates in the wrong order, an id used twice, a question about no claim', () => {
    const questions = [{ text: 'Who?', claim_id: 'clm-none' }];
    for (const expires_at of [PROFILE.issued_at, '2025-12-31T00:00:00Z']) {
      const faults = faultsOf({ expires_at, claims: [claim, claim], questions });
      assert.deepEqual(
        faults.map(fault => fault.split(':')[0]),
        ['expires_at', 'claims[1].claim_id', 'questions[0].claim_id'],
      );
      assert.match(faults[0] ?? '', /is not after issued_at/);
    }
  });

  it('refuses a language that pages cannot write figures and dates in', () => {
    for (const language of ['es_ES', 'castellano', 'es-ES-ES', ''])
      assert.deepEqual(
        faultsOf({ language }),
        ['language: must be a language tag, like es or en-GB'],
        language,
      );
    for (const language of ['es', 'en-GB', 'es-419', 'zh-Hant-TW', 'cat'])
      assert.deepEqual(faultsOf({ language }), [], language);
  });

  it('refuses what is no object, no JSON, no file', async () => {
    assert.throws(() => readProfile(bytesOf([])), ProfileError);
    assert.throws(() => readProfile(new TextEncoder().encode('{')), ProfileError);
    await assert.rejects(loadProfile('examples'), ProfileError);
    await assert.rejects(
      loadProfile('no/such/file.json'),
      /^ProfileError: there is no file no\/such\/file\.json: name yours, or make one with aval init$/,
    );
  });

  it('refuses a file over the size limit, and reads no more of it than the limit', async () => {
    const path = join(temporaryFolder(), 'brand.json');
    await writeFile(path, bytesOf(PROFILE));
    assert.equal((await loadProfile(path)).profile.id, 'brand');
    await truncate(path, 16 * 1024 * 1024 + 1);
    await assert.rejects(loadProfile(path), /brand\.json is larger than 16 MB: is it the right one\?/);
  });
});

describe('an address with letters beyond ASCII', () => {
  it('is one however often such addresses are read', () => {
    // URL.canParse refuses them after some thousand calls on Node 20 and 22.
    for (let time = 0; time < 20_000; time += 1) assert.ok(isWebAddress('https://peñón.example'));
    assert.equal(isWebAddress('https://peñón .example'), false);
  });
});
