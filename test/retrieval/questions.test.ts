import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertBestFirst } from '../support/support.ts';
import { brandWith, PROFILE } from './example-model.ts';

const profile = { ...PROFILE, names: [{ es: 'Salvaescaleras Oteiza' }, { en: 'Oteiza' }] };
const brand = await brandWith({ profile });
const found = async (query: string) => (await brand.ask(query)).matches;

test("the brand's names and the words that lead to them change no answer", async () => {
  for (const [named, plain] of [
    ['¿Cuánto cuesta el diagnóstico de Salvaescaleras Oteiza?', '¿Cuánto cuesta el diagnóstico?'],
    ['¿Cuánto cuesta en la OTEIZÁ el diagnóstico?', '¿Cuánto cuesta el diagnóstico?'],
    ["What is Oteiza's guarantee?", 'What is guarantee?'],
    ['¿Quién es el dueño de Salvaescaleras Oteiza?', '¿Quién es el dueño?'],
  ] as const) {
    assert.deepEqual(await found(named), await found(plain), named);
  }
  assert.equal((await brand.ask('¿Qué garantiza Oteiza?')).query, '¿Qué garantiza Oteiza?');
});

test('a name alone asks for nothing; with a word that asks it is what the question is about', async () => {
  assert.deepEqual(await found('¡Salvaescaleras Oteiza!'), []);
  const statement = 'Salvaescaleras Oteiza es una empresa de Bilbao que instala sillas en escaleras.';
  const [first = assert.fail(), ...others] = profile.claims;
  const claims = [{ ...first, statement }, ...others];
  const known = await brandWith({ profile: { ...profile, claims } });
  assert.equal((await known.ask('¿Qué es Salvaescaleras Oteiza?')).matches[0]?.claim_id, first.claim_id);
});

test('two questions in one are both answered, each match with its similarity to the question that it answers', async () => {
  for (const query of [
    '¿Cuánto cuesta el diagnóstico y cuánto tarda?',
    '¿Cuánto cuesta y cuánto tarda el diagnóstico?',
    'How much is the diagnosis, and how long does it take?',
  ]) {
    const matches = await found(query);
    const ids = matches.map(({ claim_id }) => claim_id);
    for (const id of ['clm-diagnostic-price', 'clm-diagnostic-duration'])
      assert.ok(ids.includes(id), `${query}: ${ids}`);
    assert.ok(matches.length <= 5);
    assertBestFirst(matches);
  }
  const [price, alone] = [
    await found('¿Cuánto cuesta el diagnóstico y cuánto tarda?'),
    await found('Cuánto cuesta el diagnóstico'),
  ];
  assert.ok(price[0]!.similarity >= alone[0]!.similarity);
});
