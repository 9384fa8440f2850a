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
      ...{ ...PROFILE.proofs[0], proof_id: 'prf-hidden', client: 'A maker of olive oil, Andalusia' },
      confidentiality: 'confidential' as const,
    },
  ],
  claims: [
    ...PROFILE.claims,
    {
      claim_id: 'clm-oil',
      statement: 'A maker of olive oil earns 4 points more.',
      category: 'prices',
      metric: {
        name: 'margin',
        value: 4,
        unit: 'points',
        window: 'a year',
        baseline: 'the year before',
        n: 1,
      },
      boundary: {
        applicable_for: 'Makers of olive oil in Spain.',
        not_applicable_for: 'Traders of raw materials.',
      },
      confidence: 'low',
      proof_ids: ['prf-hidden'],
    },
  ],
  questions: [{ text: 'Do you work for makers of oil?', language: 'en', claim_id: 'clm-oil' }],
  actions: { request_diagnostic: { enabled: true, words: { en: WORDS } } },
};

const check = (document: object, neverPublish: readonly string[] = []) =>
  checkProfile(bytesOf(document), { now: NOW, neverPublish: neverPublish });

type Path = readonly (string | number)[];

/** Every place of a document where a text stands. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    places(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** The document with a text behind the one of a place. */
function planted(value: unknown, [first, ...rest]: Path, text: string): object {
  const within = (member: unknown, name: string | number) =>
    name !== first ? member : rest.length === 0 ? `${member} ${text}` : planted(member, rest, text);
  if (Array.isArray(value)) return value.map((entry, at) => within(entry, at));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, member]) => [name, within(member, name)]),
  );
}

describe('a confidential name', () => {
  it('is found wherever it stands, if never-publish.txt lists it', async t => {
    const everywhere = places(HIDDEN);
    assert.ok(everywhere.length > 50);
    t.diagnostic(`planted in ${everywhere.length} places`);
    for (const path of everywhere) {
      const { faults } = await check(planted(HIDDEN, path, 'for VALDECUERVÓ, of course'), ['Valdecuervo']);
      assert.ok(
        faults.some(({ message }) => message.includes('which never-publish.txt lists')),
        path.join('.'),
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
    for (const anybody of [
      'Any customer',
      'Cualquier cliente',
      'Molino propio, provincia de Sevilla',
      'The Brand (own document)',
    ])
      assert.deepEqual(await codes(anybody, anybody), [], anybody);
    assert.deepEqual(await codes('A maker of olive oil, Andalusia', 'Grupo Valdecuervo'), []);
  });
});
