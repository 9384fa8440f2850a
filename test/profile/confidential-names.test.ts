import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProfile } from '../../owner/check-profile.ts';
import { bytesOf, NOW, PROFILE, WORDS } from '../trust/signed-profile.ts';

/** The profile with a confidential proof, whose client is known by name. */
const HIDDEN = {
  ...PROFILE,
  description: 'A consultancy for makers of food.',
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

const withClient = (client: string) => ({
  ...HIDDEN,
  proofs: HIDDEN.proofs.map(proof => (proof.proof_id === 'prf-hidden' ? { ...proof, client } : proof)),
});

describe('a confidential name', () => {
  it('is found wherever it stands, if never-publish.txt lists it', async t => {
    const everywhere = places(HIDDEN);
    assert.ok(everywhere.length > 50);
    t.diagnostic(`planted in ${everywhere.length} places`);
    for (const path of everywhere) {
      const { faults } = await check(planted(HIDDEN, path, 'for VALDECUERVÓ, of course'), ['Valdecuervo']);
      assert.ok(
        faults.some(({ message }) => message.includes('may not be published: never-publish.txt')),
        path.join('.'),
      );
    }
  });

  it('is a warning as the client of a proof that is not public, in every form that a name has', async () => {
    for (const client of [
      'Grupo Valdecuervo S.L.',
      'Aceites Valdecuervo, SA',
      'Harbour Foods Ltd',
      'Nordwind GmbH',
    ]) {
      const { faults, warnings } = await check(withClient(client));
      assert.deepEqual(faults, []);
      assert.ok(
        warnings.some(({ message }) => message.startsWith('seems to name a client')),
        client,
      );
    }
  });
});
