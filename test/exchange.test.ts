import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, Zip, type ZipInputFile, zipSync } from 'fflate';
import { FORMATS } from '../owner/exchange/formats.ts';
import { ExchangeError, type Imported } from '../owner/exchange/imported.ts';
import { mergeInto } from '../owner/merge/merge.ts';
import { EXAMPLE } from './support.ts';

const read = async (ending: string, content: string | Uint8Array): Promise<Imported> =>
  FORMATS[ending]!.read(typeof content === 'string' ? new TextEncoder().encode(content) : content);

const write = async (ending: string, parts: { claims: []; proofs: []; language: string }): Promise<Uint8Array> => {
  const written = await FORMATS[ending]!.write(parts);
  return typeof written === 'string' ? new TextEncoder().encode(written) : written;
};

const isExample = () => false;
const partsOf = (imported: Imported) => {
  const { claims, proofs } = mergeInto({}, imported, { isExample }).document;
  return JSON.parse(JSON.stringify({ claims, proofs }));
};

/** Text: no controls, no code points that are no characters, no mark of a lost one (U+FFFD), which a workbook may not hold. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map(raw =>
    raw
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFFFD]/gu, ' ')
      .trim(),
  )
  .filter(plain => plain !== '' && !/^#[A-Z]/.test(plain));
const sentence = fc.oneof(
  text,
  fc.constantFrom(
    '=1+1',
    "'=a",
    '+34 600 000 000',
    '-3',
    '@casa',
    '12',
    "'12",
    '3,4',
    '1.234',
    '007',
    '# no heading',
    '* a *b*',
    '1. uno',
    '"dicho"',
    'dos\nlíneas',
    'a  b',
    '<br>',
    '[x]: y',
    'a: b: c',
    '| a | b |',
    'no',
    'null',
    '~',
    'x_x0041_',
    '[ ] a',
    '`code`',
    'a &amp; b',
    'constructor',
    '__proto__',
    'https://a.example',
    '---',
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
  for (const ending of Object.keys(FORMATS)) {
    it(`are the same as ${ending}, whatever is in them`, async () => {
      await fc.assert(
        fc.asyncProperty(parts, async all => {
          const once = await read(ending, await write(ending, JSON.parse(JSON.stringify({ ...all, language: 'es' }))));
          assert.deepEqual(once.faults, []);
          const again = partsOf(once);
          assert.deepEqual(again, JSON.parse(JSON.stringify(all)));
          const twice = await read(ending, await write(ending, { ...again, language: 'en' }));
          assert.deepEqual(partsOf(twice), again);
        }),
        { numRuns: 40 },
      );
    });

    it(`are those of the example as ${ending}`, async () => {
      const { claims: all, proofs: behind } = EXAMPLE;
      assert.deepEqual(partsOf(await read(ending, await write(ending, EXAMPLE))), { claims: all, proofs: behind });
    });
  }
});

const messageOf = async (ending: string, content: string | Uint8Array): Promise<string> => {
  try {
    const { faults } = await read(ending, content);
    return faults.join('\n');
  } catch (error) {
    assert.ok(error instanceof ExchangeError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
};

/** An archive of one file, packed by Node.js: zipSync takes over a second for 100 MB. */
function zipOf(filename: string, content: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((_, piece) => pieces.push(piece));
  const entry: ZipInputFile = { filename, size: content.length, crc: crc32(content), compression: 8 };
  zip.add(entry);
  entry.ondata?.(null, deflateRawSync(content), true);
  zip.end();
  return Buffer.concat(pieces);
}

describe('a sheet', () => {
  it('is read with semicolons, a byte order mark, Spanish headings and rows in any order of columns', async () => {
    const csv = `\uFEFFNo se aplica a;Afirmación;SE APLICA A:;Confianza;Valor;Métrica;Notas\nmayoristas;"Dos ""casos""\ny medio";fábricas;alta;3,4;margen;mías\n`;
    const imported = await read('.csv', csv);
    assert.deepEqual(imported.claims[0], {
      members: {
        boundary: { not_applicable_for: 'mayoristas', applicable_for: 'fábricas' },
        statement: 'Dos "casos"\ny medio',
        confidence: 'high',
        metric: { value: 3.4, name: 'margen' },
      },
      place: 'line 2',
    });
    assert.deepEqual(imported.notes, ['the column "Notas" is passed over: its heading is not known']);
  });

  it('may have a proof in the row of its claim, or in rows and a sheet of its own', async () => {
    const imported = await read('.csv', 'statement,proof id,title,proofs\nUno,p1,Prueba,p2\n,p2,Otra,\n');
    assert.deepEqual(
      [imported.claims.map(({ members }) => members), imported.proofs.map(({ members }) => members.proof_id)],
      [[{ statement: 'Uno', proof_ids: ['p2', 'p1'] }], ['p1', 'p2']],
    );
  });

  for (const [what, ending, content, message] of [
    ['without headings', '.csv', 'a,b\n1,2\n', /^the first row has none of the headings: write at least "statement"/],
    ['that is empty', '.csv', '', /none of the headings/],
    [
      'with a heading twice',
      '.csv',
      'statement,Afirmación\na,b\n',
      /"statement" and "Afirmación" mean the same: keep one/,
    ],
    ['with a formula', '.csv', 'statement\n=1+1\n', /line 2, statement: holds a formula/],
    [
      'with an error of the spreadsheet',
      '.csv',
      'statement,value\nUno,#REF!\n',
      /line 2, value: holds the error #REF!/,
    ],
    [
      'with a figure that may be two',
      '.csv',
      'statement,value\nUno,1.234\n',
      /may be 1234 or 1\.234: write 1234 or 1\.2340/,
    ],
    ['with a count that is none', '.csv', 'statement,cases\nUno,muchos\n', /cases: is no number/],
    ['in Latin-1', '.csv', Buffer.from('statement\nse\xf1al\n', 'latin1'), /is not UTF-8: save it as "CSV UTF-8"/],
    ['with a quote that never ends', '.csv', 'statement\n"Uno\nDos\n', /is no table of cells/],
    ['that is no workbook', '.xlsx', 'statement\nUno\n', /is no \.xlsx workbook/],
    ['in YAML with a slip', '.yaml', 'claims:\n  - statement: "Uno\n', /^line \d+: /],
    ['in YAML with a bomb of references', '.yaml', 'a: &a [1]\nclaims: [*a, *a]\n', /repeats parts by reference/],
    ['in YAML without a list', '.yaml', 'claims: 1\n', /has no list "claims:"/],
    ['in Markdown without claims', '.md', 'Somos los mejores.\n', /none of the headings/],
  ] as const) {
    it(`${what} gets a clear error`, async () => assert.match(await messageOf(ending, content), message));
  }

  it('that unpacks to more than 100 MB gets a clear error, before it is unpacked', async () => {
    const bomb = zipOf('xl/worksheets/sheet1.xml', new Uint8Array(101 * 1024 * 1024));
    assert.ok(bomb.length < 200_000);
    assert.match(await messageOf('.xlsx', bomb), /holds more than 100 MB unpacked/);
  });

  it('with merged cells gets a clear error that names them', async () => {
    const files = unzipSync(await write('.xlsx', EXAMPLE));
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
    const merged = sheet.replace(
      '</sheetData>',
      '</sheetData><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
    );
    files['xl/worksheets/sheet1.xml'] = strToU8(merged);
    assert.match(await messageOf('.xlsx', zipSync(files)), /has merged cells \(A2:A3\): unmerge them/);
  });
});

describe('a sheet that comes in again', () => {
  const sheet = (rows: string) => read('.csv', `id,statement,category,se aplica a,no se aplica a,confidence\n${rows}`);
  const profile = {
    name: 'kept',
    claims: [
      { claim_id: 'c1', statement: 'Uno', category: 'a', confidence: 'low', proof_ids: ['p1'] },
      { claim_id: 'c2', statement: 'Dos', category: 'a', confidence: 'low', proof_ids: [] },
      { claim_id: 'example-1', statement: 'EJEMPLO', proof_ids: [] },
    ],
    proofs: [{ proof_id: 'p1', title: 'Prueba' }],
  };

  it('keeps ids, by id or by statement, and what it has no column for', async () => {
    const { document, ...counts } = mergeInto(
      profile,
      await sheet('c1,Uno más,b,x,y,high\n,Dos,a,x,y,low\n,Tres y,c,x,y,low\n'),
      {
        isExample: id => id.startsWith('example-'),
      },
    );
    const { added, changed, absent, named } = counts;
    assert.deepEqual({ added, changed, absent, named }, { added: 1, changed: 2, absent: [], named: 1 });
    const boundary = { applicable_for: 'x', not_applicable_for: 'y' };
    assert.deepEqual(document, {
      name: 'kept',
      claims: [
        { claim_id: 'c1', statement: 'Uno más', category: 'b', boundary, confidence: 'high', proof_ids: ['p1'] },
        { claim_id: 'c2', statement: 'Dos', category: 'a', boundary, confidence: 'low', proof_ids: [] },
        { claim_id: 'clm-tres-y', statement: 'Tres y', category: 'c', boundary, confidence: 'low', proof_ids: [] },
      ],
      proofs: profile.proofs,
    });
  });

  for (const ending of Object.keys(FORMATS)) {
    it(`changes nothing where it is what went out as ${ending}`, async () => {
      const bare = { ...EXAMPLE.claims[0], proof_ids: [] };
      const whole = { claims: [bare, ...EXAMPLE.claims.slice(1)], proofs: EXAMPLE.proofs, language: 'es' };
      const again = await read(ending, await write(ending, JSON.parse(JSON.stringify(whole))));
      const { added, changed, named } = mergeInto(whole, again, { isExample });
      assert.deepEqual({ added, changed, named }, { added: 0, changed: 0, named: 0 });
    });
  }

  it('empties what its cells leave empty, and invents nothing', async () => {
    const { document } = mergeInto(profile, await sheet('c1,Uno,,,,\n'), { isExample });
    assert.deepEqual(Object(document.claims)[0], { claim_id: 'c1', statement: 'Uno', proof_ids: ['p1'] });
  });

  it('says which claims it lacks, and drops them where asked', async () => {
    const imported = await sheet('c2,Dos,a,x,y,low\n');
    assert.deepEqual(mergeInto(profile, imported, { isExample }).absent, ['c1', 'example-1']);
    assert.equal(Object(mergeInto(profile, imported, { isExample, replace: true }).document.claims).length, 1);
  });
});
