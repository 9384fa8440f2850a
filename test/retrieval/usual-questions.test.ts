import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadProfile } from '../../brand/profile/profile.ts';
import { loadModel } from '../../brand/retrieval/model.ts';
import { readConfig } from '../../server/config/config.ts';
import { ROOT } from '../support/support.ts';
import { brandWith } from './example-model.ts';

const list = (texts: string) => texts.split(' | ');

const EXAMPLE: readonly (readonly [claim: string, questions: readonly string[]])[] = [
  ['clm-who', list("¿Quiénes sois? | ¿Qué es Norte Claro? | Who are you? | what's Norte Claro?")],
  ['clm-who', list('¿Qué hacéis? | ¿a qué os dedicáis? | What do you do?')],
  ['clm-services', list('servicios | ¿Qué servicios ofrecéis? | services | What are your services?')],
  [
    'clm-office',
    list(
      '¿Dónde estáis? | ¿dónde están? | dirección | Where are you? | where is Norte Claro based? | address',
    ),
  ],
  ['clm-hours', list('¿Cuándo abrís? | ¿qué horario tenéis? | horario | When are you open? | opening hours')],
  [
    'clm-contact',
    list('¿Cómo os contacto? | ¿tenéis teléfono? | contacto | How do I get in touch? | Norte Claro teléfono'),
  ],
  [
    'clm-diagnostic-price',
    list(
      '¿Cuánto cuesta? | hola, ¿cuánto vale? | precios | How much does it cost? | pricing | how much does Norte Claro charge? | precios de Norte Claro',
    ),
  ],
];

/** What firms of other trades say of themselves, among thirty claims on their work. */
const FIRMS = [
  {
    file: 'mudanzas_brezal',
    says: {
      place: 'Estamos en la calle Tejeros 14 de Valladolid, junto a la estación.',
      hours: 'Nuestro horario de apertura es de 8 a 15, de lunes a viernes.',
      contact: 'Puede llamarnos al 983 55 01 20 o escribir a hola@brezal.example.',
    },
  },
  {
    file: 'wrenfield_pianos',
    says: {
      place: 'Our workshop is in Mill Lane, Skelbridge, five minutes from the station.',
      hours: 'We are open Tuesday to Saturday, from 10 am to 5.30 pm.',
      contact: 'Call us on 01632 960 118 or write to hello@wrenfield.example.',
    },
  },
] as const;

/** In Spanish and English. The table alone is asked in the firm's language. */
const FIRST = {
  place: ['¿Dónde estáis?', 'Where are you?'],
  hours: ['¿Cuándo abrís?', 'When are you open?'],
  contact: ['¿Cómo os contacto?', 'How do I get in touch?'],
} as const;
const PLAIN = {
  ...{ category: '·', confidence: 'high', proof_ids: [] },
  boundary: { applicable_for: '·', not_applicable_for: '·' },
} as const;
const KINDS = ['place', 'hours', 'contact'] as const;

for (const ENCODER of ['auto', 'off']) {
  const model = await loadModel(readConfig({ ENCODER, ENCODER_THREADS: '1' }).embedding);
  const skip = ENCODER === 'auto' && !model.encoder && `the encoder cannot run here: ${model.answeredBy}`;
  const mode = ENCODER === 'off' ? 'with the table alone' : 'with the encoder';

  describe(`what everybody asks first, ${mode}`, { skip }, () => {
    test('is answered from the claim that says it: who, what, where, when, how to reach, what it costs', async () => {
      const brand = await brandWith(model);
      for (const [claim, questions] of EXAMPLE)
        for (const question of questions) {
          const [first] = (await brand.ask(question)).matches;
          assert.equal(first?.claim_id, claim, question);
          assert.ok(first.similarity >= 0.15, `${question}: ${first.similarity}`);
        }
    });

    for (const { file, says } of FIRMS) {
      test(`is answered from the claim of a firm of another trade (${file})`, async () => {
        const { profile, digest } = await loadProfile(`${ROOT}bench/retrieval/unseen/${file}/brand.json`);
        const own = KINDS.map(kind => ({ ...PLAIN, claim_id: kind, statement: says[kind] }));
        const others = profile.claims.filter(
          ({ claim_id }) => !['clm-opening', 'clm-horario'].includes(claim_id),
        );
        const brand = await brandWith({
          ...model,
          digest,
          profile: { ...profile, claims: [...others, ...own] },
        });
        for (const kind of KINDS)
          for (const question of ENCODER === 'off'
            ? [FIRST[kind][profile.language === 'es' ? 0 : 1]]
            : FIRST[kind])
            assert.equal((await brand.ask(question)).matches[0]?.claim_id, kind, question);
      });
    }
  });
}
