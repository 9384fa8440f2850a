import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mergeInto } from '../../owner/merge.ts';
import { readSheet, type Sheet, SheetError, writeSheet } from '../../owner/sheet.ts';
import { EXAMPLE } from '../support/support.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (content: string | Uint8Array): Sheet =>
  readSheet(typeof content === 'string' ? bytes(content) : content);

const isExample = () => false;
const partsOf = (imported: Sheet) => {
  const { claims, proofs, questions = [] } = mergeInto({}, imported, { isExample }).document;
  return JSON.parse(JSON.stringify({ claims, proofs, questions }));
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
/** Lines of a cell: without spaces around them, since a cell has one question a line. */
const line = sentence.map(raw => raw.replace(/[\r\n]/g, ' ').trim()).filter(plain => plain !== '');
const questionsOf = (ids: readonly string[]) =>
  fc
    .array(
      fc.record({
        claim_id: fc.constantFrom(...ids),
        language: fc.constantFrom('es', 'en', 'pt-BR'),
        text: line,
      }),
    )
    .map(list => list.toSorted((a, b) => placeOf(ids, a) - placeOf(ids, b)));
const placeOf = (ids: readonly string[], { claim_id, language }: { claim_id: string; language: string }) =>
  ids.indexOf(claim_id) * 3 + ['es', 'en', 'pt-BR'].indexOf(language);
const parts = proofs.chain(list =>
  claims(list.map(proof => proof.proof_id)).chain(all =>
    questionsOf(all.map(claim => claim.claim_id)).map(questions => ({
      claims: all,
      proofs: list,
      questions,
    })),
  ),
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
      const written = writeSheet({ claims: [claim], proofs: [], questions: [], language: 'en' });
      assert.ok(written.includes(`,"'${statement.replace('\r', "\r'")}",`), JSON.stringify(statement));
      assert.equal(read(written).claims[0]?.members.statement, statement);
    }
    const broken = { ...EXAMPLE.claims[0], statement: "una línea\n=1+1\n'otra" };
    const lines = writeSheet({ claims: [broken], proofs: [], questions: [], language: 'en' });
    assert.ok(lines.includes(`,"una línea\n'=1+1\n''otra",`), lines);
    assert.equal(read(lines).claims[0]?.members.statement, broken.statement);
    const hidden = { ...EXAMPLE.claims[0], statement: 'precio;"=HYPERLINK("x")"' };
    assert.match(
      writeSheet({ claims: [hidden], proofs: [], questions: [], language: 'en' }),
      /"precio;""=HYPERLINK\(""x""\)"""/,
    );
  });
});

const messageOf = (content: string | Uint8Array): string => {
  try {
    return read(content)
      .faults.map(({ row, heading, message }) => `row ${row}, ${heading}: ${message}`)
      .join('\n');
  } catch (error) {
    assert.ok(error instanceof SheetError, String(error));
    return error.message;
  }
};

describe('questions in a sheet', () => {
  const profile = {
    language: 'es',
    claims: [
      { claim_id: 'clm-a', statement: 'Uno.' },
      { claim_id: 'clm-b', statement: 'Dos.' },
    ],
    questions: [
      { text: '¿Uno?', claim_id: 'clm-a' },
      { text: 'One?', language: 'en', claim_id: 'clm-a' },
      { text: '¿Dos?', language: 'es', claim_id: 'clm-b' },
    ],
  };
  const merged = (content: string) => mergeInto(profile, read(content), { isExample }).document.questions;

  it('stand one a line in the column of their language, and replace those of their claim there', () => {
    assert.deepEqual(merged('id;afirmación;preguntas es\nclm-a;Uno.;"¿Uno?\n ¿y uno más? "\n'), [
      { text: 'One?', language: 'en', claim_id: 'clm-a' },
      { text: '¿Dos?', language: 'es', claim_id: 'clm-b' },
      { text: '¿Uno?', language: 'es', claim_id: 'clm-a' },
      { text: '¿y uno más?', language: 'es', claim_id: 'clm-a' },
    ]);
  });

  it('stay as they are without such a column, or where the cell says the same', () => {
    assert.deepEqual(merged('id,statement\nclm-a,Uno.\n'), profile.questions);
    assert.deepEqual(merged('id,statement,questions es\nclm-a,Uno.,¿Uno?\n'), profile.questions);
  });

  it('go with their claim when it goes', () => {
    const { document } = mergeInto(profile, read('id,statement\nclm-b,Dos.\n'), { isExample, replace: true });
    assert.deepEqual(document.questions, [profile.questions[2]]);
  });
});

describe('a sheet', () => {
  it('in the letters of Windows, as Excel saves a CSV, is read, and says so', () => {
    const sheet = read(Buffer.from('afirmación;unidad\n«Señal» de año: 45\x80\x85;\x80\n', 'latin1'));
    assert.equal(sheet.claims[0]?.members.statement, '«Señal» de año: 45€…');
    assert.equal(sheet.isWindows, true);
    assert.equal(read('afirmación\nSeñal\n').isWindows, false);
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
      'in UTF-16 that is cut short',
      Buffer.from('\xff\xfes\x00t', 'latin1'),
      /is not UTF-8: save it as "CSV UTF-8"/,
    ],
    ['with a quote that never ends', 'statement\n"Uno\nDos\n', /^row 2 has a quotation mark out of place/],
  ] as const) {
    it(`${what} gets a clear error`, () => {
      assert.match(messageOf(content), message);
    });
  }
});
