import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact } from '../../server/run/redact.ts';

const list = (text: string) => text.split(' | ');

/** Each value in each sentence, in the place of `_`. */
const WITH: Readonly<Record<string, readonly [values: readonly string[], sentences: readonly string[]]>> = {
  email: [
    [
      ...list('ana%40client.example | ana.ruiz@example.org | ANA@EXAMPLE.ES | ana+lista@mail.example.com'),
      ...list(
        'ana @ example.org | ana (at) example (dot) com | ana arroba example punto es | maría@españa.example',
      ),
    ],
    list(
      '¿Me pueden escribir a _? | Mi correo es _, ¿cuánto cuesta? | _ quiere saber el plazo | price? (_) | Escríbeme: _.',
    ),
  ],
  phone: [
    [
      ...list(
        '612_345_678 | 600 123 456 | +34 600-12-34-56 | 600123456 | (91) 123 45 67 | +52 1 55 1234 5678',
      ),
      ...list('91.123.45.67 | +1 (415) 555-2671 | 555-0123 | 6 0 0 1 2 3 4 5 6'),
    ],
    list(
      'Llámame al _ y me cuentas | my number is _, do you work in Mexico? | tel. _: ¿y con pymes? | _ ¿cuánto tardáis?',
    ),
  ],
  id: [
    list(
      '12345678Z | X1234567L | B12345678 | ES91 2100 0418 4502 0005 1332 | 4111 1111 1111 1111 | PAB123456',
    ),
    list(
      'Mi DNI o cuenta es _, ¿puedo ser partner? | invoice for _? | (_) ¿hay descuento? | el _ es nuestro',
    ),
  ],
  name: [
    list('Ana Ruiz | José María de la Fuente | John Smith | Núria | Mª Carmen López'),
    list(
      'Hola, soy _ y quiero saber el precio | My name is _. What do you charge? | ¿Cuánto tarda? Saludos, _',
    ),
  ],
  street: [
    list(
      'calle Mayor 5 | C/ Sierpes 12 | Avda. de la Constitución, 3 | 12 Baker Street | Passeig de Gràcia 21',
    ),
    list('Estoy en _, ¿venís? | ¿Servís en _?'),
  ],
};

const CASES = Object.entries(WITH).flatMap(([kind, [values, sentences]]) =>
  values.flatMap(value =>
    sentences.map(sentence => ({ kind, value, text: sentence.replace('_', () => value) })),
  ),
);

/** Pieces of the value that still tell who asked. */
const slipped = ({ kind, value, text }: (typeof CASES)[number]) => {
  const kept = redact(text).toLowerCase();
  if (kind === 'phone') return (kept.match(/\d/g) ?? []).length >= 4;
  if (kind === 'email') return /@|example/.test(kept);
  return kept.includes(value.toLowerCase());
};

describe('what is kept of a question', () => {
  it('holds no e-mail address and no phone number, in over a hundred invented questions; the figure for the rest is printed', t => {
    for (const one of CASES.filter(({ kind }) => kind === 'email' || kind === 'phone')) {
      assert.ok(!slipped(one), `${one.text} → ${redact(one.text)}`);
    }
    for (const kind of Object.keys(WITH)) {
      const of = CASES.filter(one => one.kind === kind);
      t.diagnostic(`${kind}: ${of.filter(slipped).length} of ${of.length} slipped through`);
    }
    t.diagnostic(`${CASES.length} questions`);
    assert.ok(CASES.length > 100);
  });

  it('holds no name typed in lower case after "me llamo", no handle, no path of an address and no number plate', () => {
    for (const [text, kept] of [
      ['me llamo juan lópez', 'me llamo [name]'],
      ['Hola, me llamo juan y quiero el precio', 'Hola, me llamo [name] y quiero el precio'],
      ['me llamo ana de la fuente, ¿precio?', 'me llamo [name], ¿precio?'],
      ['Me llamo Juan López García', 'Me llamo [name]'],
      ['my name is john smith, prices?', 'my name is [name], prices?'],
      ['@juanlopez en twitter', '[handle] en twitter'],
      ['https://linkedin.com/in/juan-lopez', 'https://linkedin.com/[path]'],
      ['mira www.acme.example/juan?x=1 ahora', 'mira www.acme.example/[path] ahora'],
      ['matrícula 1234 BCD', 'matrícula [id]'],
    ] as const) {
      assert.equal(redact(text), kept);
    }
  });

  it('leaves what people ask about: figures, years, brands, plain words', () => {
    for (const text of [
      '¿Cuánto cuesta el diagnóstico para una empresa de 1.500.000 euros?',
      'ventas 2023-2024 en 300 tiendas',
      'I am looking for prices in Spain',
      'soy fabricante de conservas, ¿me sirve?',
      'hola, ¿trabajáis con pymes?',
      'Do you look at margins. Or at volume?',
      '¿Qué margen se gana con 27 clientes y 3,4 puntos?',
      '¿el informe 2024 PDF de acme.example y/o por 5000 GBP?',
      'el SKU A1 y el B2 no rotan',
    ]) {
      assert.equal(redact(text), text);
    }
  });
});
