import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mergeInto } from '../../owner/merge.ts';
import { readSheet, type Sheet, writeSheet } from '../../owner/sheet.ts';
import { SheetError, sheetWords } from '../../owner/words.ts';
import { EXAMPLE } from '../support/support.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (content: string | Uint8Array): Sheet =>
  readSheet(typeof content === 'string' ? bytes(content) : content, 'es');

const isExample = () => false;
const partsOf = (imported: Sheet) => {
  const { claims, proofs } = mergeInto({}, imported, { isExample }).document;
  return JSON.parse(JSON.stringify({ claims, proofs }));
};

/** Any text of whole characters that says something, with spaces, tabs and line breaks at its ends too. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('\t', '\r', '\n', ' ', '"', ';', ',', "'"),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 40,
  })
  .map(raw => raw.replace(/[\p{Cs}\0]/gu, ' '))
  .filter(plain => plain.trim() !== '' && !/^#[A-Z]/.test(plain.trim()));
const sentence = fc.oneof(
  text,
  fc.constantFrom(
    ...[
      '=1+1',
      '＝1+1',
      '＋1',
      '－1',
      '＠casa',
      '\t=1',
      '\r=1',
      "''a",
      "'a",
      ' a ',
      "'=a",
      '+34 600 000 000',
      '-3',
    ],
    ...[
      ...['precio;"=HYPERLINK(""x"")"', '12', "'12", '3,4', '1.234', '007', '"dicho"', 'dos\nlíneas', 'a  b'],
      ...['| a | b |'],
    ],
    ...['no', 'null', '~', 'x_x0041_', 'a &amp; b', 'constructor', '__proto__', '---'],
  ),
);
const id = fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,12}$/u).map(raw => raw.normalize('NFC'));
const figure = fc.oneof(
  sentence,
  fc.integer({ min: -1e9, max: 1e9 }),
  fc
    .double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true })
    .map(n => Math.round(n * 1000) / 1000)
    .filter(n => !Object.is(n, -0)),
);
const optional = { requiredKeys: ['name', 'value'] as ('name' | 'value')[] };
const proofs = fc.uniqueArray(
  fc.record({
    proof_id: id,
    type: sentence,
    title: sentence,
    summary: sentence,
    client: sentence,
    verifiable_by: sentence,
    confidentiality: fc.constantFrom('public', 'anonymised', 'on_request', 'confidential'),
  }),
  { selector: proof => proof.proof_id, maxLength: 4 },
);
const metric = fc.record(
  { name: sentence, value: figure, unit: sentence, window: sentence, baseline: figure, n: fc.nat() },
  optional,
);
const claims = (ids: readonly string[]) =>
  fc.uniqueArray(
    fc
      .record({
        claim_id: id,
        statement: sentence,
        category: sentence,
        metric: fc.option(metric, { nil: undefined }),
        boundary: fc.record({ applicable_for: sentence, not_applicable_for: sentence }),
        confidence: fc.constantFrom('high', 'medium', 'low'),
        proof_ids: fc.subarray([...ids]),
      })
      .map(({ metric: figures, ...claim }) => (figures ? { ...claim, metric: figures } : claim)),
    { selector: claim => claim.claim_id, minLength: 1, maxLength: 4 },
  );
const parts = proofs.chain(list =>
  claims(list.map(proof => proof.proof_id)).map(all => ({ claims: all, proofs: list })),
);

describe('claims that go out and come in again', () => {
  it('are the same, whatever is in them', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom('es', 'en'), (all, language) => {
        const once = read(writeSheet({ ...JSON.parse(JSON.stringify(all)), language }));
        assert.deepEqual(once.faults, []);
        assert.deepEqual(partsOf(once), JSON.parse(JSON.stringify(all)));
      }),
      { numRuns: 200 },
    );
  });

  it('are never taken for a formula: an apostrophe stands before each sign of one, whatever the separator', () => {
    for (const statement of [
      '=1+1',
      '+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
      "'=1",
    ]) {
      const claim = { ...EXAMPLE.claims[0], statement };
      const written = writeSheet({ claims: [claim], proofs: [], language: 'en' });
      assert.ok(written.includes(`,"'${statement.replace('\r', "\r'")}",`), JSON.stringify(statement));
      assert.equal(read(written).claims[0]?.members.statement, statement);
    }
    const broken = { ...EXAMPLE.claims[0], statement: "una línea\n=1+1\n'otra" };
    const lines = writeSheet({ claims: [broken], proofs: [], language: 'en' });
    assert.ok(lines.includes(`,"una línea\n'=1+1\n''otra",`), lines);
    assert.equal(read(lines).claims[0]?.members.statement, broken.statement);
    const hidden = { ...EXAMPLE.claims[0], statement: 'precio;"=HYPERLINK("x")"' };
    assert.match(
      writeSheet({ claims: [hidden], proofs: [], language: 'en' }),
      /"precio;""=HYPERLINK\(""x""\)"""/,
    );
  });
});

/** What a sheet makes of a figure whose sentence says it. */
const figureOf = (statement: string, cell: string, language: string) => {
  const sheet = readSheet(bytes(`statement;value\n${statement};${cell}\n`), language);
  return sheet.faults[0]?.code ?? sheet.claims[0]?.members.metric;
};

const messageOf = (content: string | Uint8Array, language = 'en'): string => {
  try {
    const { faults } = read(content);
    return faults
      .map(fault => `row ${fault.row}, ${fault.heading}: ${sheetWords(fault, language)}`)
      .join('\n');
  } catch (error) {
    assert.ok(error instanceof SheetError, String(error));
    const words = sheetWords(error.fault, language);
    assert.doesNotMatch(words, /\n/);
    return words;
  }
};

describe('a sheet', () => {
  it('in the letters of Windows, as Excel saves a CSV, is read, and says so', () => {
    const sheet = read(Buffer.from('afirmación;unidad\n«Señal» de año: 45\x80\x85;\x80\n', 'latin1'));
    assert.equal(sheet.claims[0]?.members.statement, '«Señal» de año: 45€…');
    assert.equal(sheet.isWindows, true);
    assert.equal(read('afirmación\nSeñal\n').isWindows, false);
  });

  it('has "1.289" and "1,250" read where its language and the sentence settle them, and the sign before a figure', () => {
    assert.deepEqual(figureOf('Cuesta 1.289 euros.', '1.289', 'es'), { value: 1289 });
    assert.deepEqual(figureOf('It costs £1,250.', '1,250', 'en'), { value: 1250 });
    assert.deepEqual(figureOf('It costs £75.', '£75', 'en'), { value: 75, unit: '£' });
    assert.deepEqual(figureOf('Pesa 1,289 kg.', '1,289', 'es'), 'two_figures');
    assert.deepEqual(figureOf('Cuesta 289 euros.', '1.289', 'es'), 'two_figures');
  });

  it('has a proof that is copied down once, and takes its id alone beside a claim as its name', () => {
    const proof = 'prf-1,informe,Un informe';
    const sheet = read(`statement,proof id,type,proof title\nUno,${proof}\nDos,${proof}\nTres,prf-1,,\n`);
    assert.deepEqual(
      sheet.claims.map(({ members }) => members.proof_ids),
      [['prf-1'], ['prf-1'], ['prf-1']],
    );
    assert.deepEqual(
      sheet.proofs.map(({ members }) => members.title),
      ['Un informe'],
    );
  });

  it('may end every row with a separator', () => {
    assert.deepEqual(read('statement,category\nUno,dos,\nTres,dos,\n').faults, []);
  });

  for (const [what, content, message] of [
    ['without headings', 'a,b\n1,2\n', /^the first row has none of the headings: write at least "statement"/],
    ['that is empty', '', /none of the headings/],
    [
      'with a heading twice',
      'statement,Afirmación\na,b\n',
      /"statement" and "Afirmación" mean the same: keep one/,
    ],
    ['with a formula', 'statement\n=1+1\n', /row 2, statement: holds a formula/],
    [
      'with an error of the spreadsheet',
      'statement,value\nUno,#REF!\n',
      /row 2, value: holds the error #REF!/,
    ],
    ['with a Spanish error of one', 'statement,value\nUno,#¡REF!\n', /row 2, value: holds the error #¡REF!/],
    [
      'with an error within a text',
      'statement\nCuesta #N/D euros.\n',
      /row 2, statement: holds the error #N\/D/,
    ],
    [
      'with what programs write for nothing',
      'statement,value\nUno,NaN\n',
      /row 2, value: holds the error NaN/,
    ],
    [
      'with a figure that may be two',
      'statement,value\nUno,1.234\n',
      /may be 1234 or 1\.234: write 1234 or 1\.2340/,
    ],
    ['with a count that is none', 'statement,cases\nUno,muchos\n', /cases: is no number/],
    [
      'whose row has more cells than headings',
      'statement,category\nUno,dos,tres\n',
      /row 2, : has more cells than the first row/,
    ],
    [
      'whose comma without quotes moves the cells of a row',
      'statement,category,client\nUno, dos,tres,\nUno,dos,\n',
      /row 2, : has more cells than the first row/,
    ],
    [
      'in the letters of DOS',
      Buffer.from('statement\nse\xa4al\n', 'latin1'),
      /is not UTF-8: save it as "CSV UTF-8"/,
    ],
    ['in the letters of Mac', Buffer.from('statement\nse\x96al\n', 'latin1'), /is not UTF-8/],
    ['that is another kind of file', Buffer.from('statement\nPK\x03\x04\xf1\n', 'latin1'), /is not UTF-8/],
    [
      'whose UTF-8 is marked and broken',
      Buffer.from('\xef\xbb\xbfstatement\nse\xf1al\n', 'latin1'),
      /is not UTF-8/,
    ],
    ['whose UTF-8 is cut short', bytes('statement\nseñal\n€').subarray(0, -1), /is not UTF-8/],
    ['with a quote that never ends', 'statement\n"Uno\nDos\n', /^row 2 has a quotation mark out of place/],
  ] as const) {
    it(`${what} gets a clear error, in Spanish too`, () => {
      assert.match(messageOf(content), message);
      assert.notEqual(messageOf(content, 'es'), messageOf(content));
    });
  }
});
