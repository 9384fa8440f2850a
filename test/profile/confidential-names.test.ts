import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProfile } from '../../owner/check-profile.ts';
import { bytesOf, NOW, PROFILE, WORDS } from '../trust/signed-profile.ts';

/** The profile with a confidential proof, whose client is known by name. */
const HIDDEN = {
  ...PROFILE,
  contact: { email: 'hello@brand.example' },
  logos: [{ url: 'https://brand.example/logo.svg' }],
  proofs: [
    ...PROFILE.proofs,
    {
      ...PROFILE.proofs[0]!,
      proof_id: 'prf-hidden',
      client: 'A maker of olive oil, Andalusia',
      confidentiality: 'confidential' as const,
    },
  ],
  claims: [...PROFILE.claims, { ...PROFILE.claims[0]!, claim_id: 'clm-oil', proof_ids: ['prf-hidden'] }],
  questions: [{ text: 'Do you work for makers of oil?', language: 'en', claim_id: 'clm-oil' }],
  actions: { request_diagnostic: { enabled: true, words: { en: WORDS } } },
};

const check = (document: object, neverPublish: readonly string[] = []) =>
  checkProfile(bytesOf(document), { now: NOW, neverPublish });

/** Every document that has a text behind one of this document's texts. */
function planted(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [`${value} ${text}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    planted(member, text).map(changed =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
}

describe('a confidential name', () => {
  it('is found wherever it stands, if never-publish.txt lists it', async () => {
    const documents = planted(HIDDEN, 'for VALDECUERVÓ, of course');
    assert.ok(documents.length > 50);
    for (const document of documents) {
      const { faults } = await check(Object(document), ['Valdecuervo']);
      assert.ok(
        faults.some(({ code }) => code === 'listed_name'),
        JSON.stringify(document),
      );
    }
  });

  it('is a fault where a public proof names the same client, and none where both describe', async () => {
    const codes = async (hidden: string, open: string) => {
      const proofs = HIDDEN.proofs.map(proof => ({
        ...proof,
        client: proof.proof_id === 'prf-hidden' ? hidden : open,
        confidentiality: proof.proof_id === 'prf-hidden' ? proof.confidentiality : ('public' as const),
      }));
      return (await check({ ...HIDDEN, proofs })).faults.map(({ code }) => code);
    };
    assert.deepEqual(await codes('GRUPO VALDECUERVÓ', 'Grupo Valdecuervo'), ['public_client']);
    assert.deepEqual(await codes('Valdecuervo', 'Valdecuervo'), ['public_client']);
    for (const anybody of ['Any customer', 'Molino propio, provincia de Sevilla', 'The Brand (own document)'])
      assert.deepEqual(await codes(anybody, anybody), [], anybody);
    assert.deepEqual(await codes('A maker of olive oil, Andalusia', 'Grupo Valdecuervo'), []);
  });
});
