import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadProfile, ProfileError, readProfile } from '../brand/profile/profile.ts';
import { temporaryFolder } from './folder.ts';

const claim = {
  claim_id: 'clm-a',
  statement: '  Text with its spaces ',
  category: 'prices',
  boundary: { applicable_for: 'Makers of food', not_applicable_for: 'Traders' },
  confidence: 'high',
  proof_ids: ['prf-a'],
};

const proof = {
  proof_id: 'prf-a',
  type: 'case',
  title: 'A case',
  summary: 'What happened',
  client: 'Aceites Valdecuervo',
  verifiable_by: 'Asking them',
  confidentiality: 'public',
};

const document = {
  profile: 'brand-profile/1',
  id: 'brand',
  names: [{ en: 'The Brand' }, { es: 'La Marca' }],
  url: 'https://brand.example',
  language: 'es',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2027-01-01T00:00:00Z',
  claims: [claim],
  proofs: [proof],
};

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** The faults of a document that differs from a good one, as `path: message`. */
function faultsOf(changes: object): string[] {
  try {
    readProfile(bytesOf({ ...document, ...changes }));
  } catch (error) {
    if (error instanceof ProfileError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('the profile loader', () => {
  it('keeps every text as it is, spaces included, and adds nothing to the document', () => {
    const { language, ...withoutLanguage } = document;
    const loaded = readProfile(bytesOf(withoutLanguage));
    assert.equal(loaded.profile.claims[0]?.statement, claim.statement);
    assert.equal(loaded.profile.language, language);
    assert.deepEqual(loaded.document, withoutLanguage);
  });

  it('refuses a client of a proof that is not public where a public proof names the same', () => {
    const hidden = { ...proof, proof_id: 'prf-b', client: 'ACEITES VALDECUERVO', confidentiality: 'on_request' };
    assert.deepEqual(faultsOf({ proofs: [proof, hidden] }), [
      'proofs[1].client: names a client whom a public proof names, though this proof is not public',
    ]);
  });

  it('says each fault in words for whoever writes, with what to do', () => {
    const metric = { name: '', value: true, n: 1.5 };
    const claims = [{ ...claim, metric, category: 7, statement: 'x'.repeat(2001), proof_ids: 'prf-a' }];
    const proofs = [{ ...proof, confidentiality: 'secret' }];
    assert.deepEqual(faultsOf({ claims, proofs }), [
      'claims[0].statement: is longer than 2000 characters',
      'claims[0].category: must be a text in double quotes',
      'claims[0].metric.name: is empty',
      'claims[0].metric.value: must be a number, or a text of some characters',
      'claims[0].metric.n: must be a whole number without quotes',
      'claims[0].proof_ids: must be a list in [ ]',
      'proofs[0].confidentiality: must be one of "public", "anonymised", "on_request", "confidential"',
    ]);
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
    await writeFile(path, bytesOf(document));
    assert.equal((await loadProfile(path)).profile.id, 'brand');
    await truncate(path, 16 * 1024 * 1024 + 1);
    await assert.rejects(loadProfile(path), /brand\.json is larger than 16 MB: is it the right one\?/);
  });
});
