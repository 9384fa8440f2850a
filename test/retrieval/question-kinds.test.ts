import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Quantity, quantityAsked, quantityOf } from '../../brand/retrieval/quantity.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { asksAboutBrand } from '../../brand/retrieval/usual-questions.ts';

const list = (texts: string) => texts.split(' | ');

describe('the kind of quantity', () => {
  const ASKED: readonly (readonly [Quantity | undefined, readonly string[]])[] = [
    [
      'money',
      list(
        '¿Cuánto cuesta el diagnóstico? | how much is one session? | ¿cuántos euros son? | CUANTO COBRAIS',
      ),
    ],
    [
      'money',
      list('¿qué facturación mínima pedís? | what is the minimum annual revenue? | precio del diagnóstico'),
    ],
    [
      'time',
      list('¿cuánto tarda un proyecto? | how long does it take | ¿Cuántas semanas dura? | ¿en qué plazo?'),
    ],
    [
      'share',
      list(
        '¿qué porcentaje devolvéis? | which share of the fee | ¿qué comisión cobra una agencia? | ¿el 30 %?',
      ),
    ],
    ['share', list('by how much does the margin improve? | what is the error?')],
    ['count', list('¿cuántos clientes tenéis? | how many stores | número de proyectos')],
    [
      undefined,
      list('is VAT included in the price? | ¿el precio del diagnóstico se descuenta? | ¿se cumple el plazo?'),
    ],
    [
      undefined,
      list('¿trabajáis en México? | who does the work | do you sell software | 日本語 | cuantocuesta'),
    ],
  ];
  for (const [quantity, questions] of ASKED) {
    test(`that people ask for is ${quantity ?? 'none'} in ${questions.length} questions`, () => {
      for (const question of questions) assert.equal(quantityAsked(question), quantity, question);
    });
  }

  test('that a metric states is read from its unit', () => {
    const units: readonly (readonly [string | undefined, Quantity | undefined])[] = [
      ['EUR sin IVA', 'money'],
      ['€ por hora', 'money'],
      ['US$', 'money'],
      ['%', 'share'],
      ['puntos porcentuales sobre venta neta', 'share'],
      ['días laborables', 'time'],
      ['weeks', 'time'],
      ['tiendas', 'count'],
      [undefined, undefined],
    ];
    for (const [unit, quantity] of units) assert.equal(quantityOf({ value: 3, unit }), quantity, unit);
    assert.equal(quantityOf({ value: 'entre 3 y 5', unit: 'semanas' }), 'time');
    assert.equal(quantityOf({ value: 'sin cambios', unit: 'semanas' }), undefined);
  });
});

describe('a question about the brand as a whole', () => {
  const names = ['Norte Claro', 'Norte Claro Consultores, S.L.'];
  const yes = [
    ...list(
      "what do you do | who are you? | Hi, who are you | what's Norte Claro? | What is Norte Claro about? | about you",
    ),
    ...list('tell me about Norte Claro | How can you help me? | Norte Claro | ¿Qué hacéis? | ¿quiénes sois?'),
    ...list(
      '¿A qué os dedicáis? | hola, ¿qué es Norte Claro? | ¿Quién es Norte Claro Consultores, S.L.? | ¿Qué ofrecéis?',
    ),
  ];
  const no = [
    ...list(
      '¿Qué hacéis con los datos? | who are your clients? | what does it cost | do you work in Chile | norteclaro',
    ),
    ...list('¿quiénes son vuestros socios? | Norte Claro precio | is Norte Claro expensive? | ? | hola |  '),
  ];
  for (const [expected, questions] of [[true, yes] as const, [false, no] as const]) {
    test(`is ${expected ? 'told from the others' : 'no question with a topic of its own'}`, () => {
      for (const question of questions) assert.equal(asksAboutBrand(question, names), expected, question);
    });
  }
});

describe('a similarity', () => {
  test('answers from 0.8, is near from 0.2, and is possible below', () => {
    const bands = [1, 0.8, 0.7999, 0.2, 0.1999, 0].map(bandOf);
    assert.deepEqual(bands, ['answers', 'answers', 'nearest', 'nearest', 'possible', 'possible']);
  });
});
