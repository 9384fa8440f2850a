import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { SheetError } from '../../owner/csv.ts';
import { draftOf, withDraft } from '../../owner/draft.ts';
import { mergeSheet } from '../../owner/merge.ts';
import { readSheet, type Sheet, writeSheet } from '../../owner/sheet.ts';
import { exportClaims, importClaims } from '../../server/cli/exchange.ts';
import { run } from '../cli/command.ts';
import { CLAIM, NOW, profileFolder } from './profile-folder.ts';

const read = (content: string | Uint8Array): Sheet =>
  readSheet(typeof content === 'string' ? new TextEncoder().encode(content) : content);

/** What a document says once a sheet is in it. */
const merged = (document: object, content: string, replace = false) =>
  withDraft(document, mergeSheet(draftOf(document), read(content), replace).draft);

/** Texts that a sheet could read as something else: a figure, an error, a formula, a word of the sheet. */
const oddText = fc
  .tuple(
    fc.constantFrom('', '', ' ', "'", "''", '=', '\n'),
    fc.constantFrom(
      ...['7.900', '45', '1,5', '-3', '1e5', '+34 600', '＝1+1', '#REF!', '#N/A', '####', 'alta', 'Pública'],
      ...['n', 'constructor', '__proto__', '---', '"dicho"', 'precio;"=HYPERLINK(""x"")"', 'a &amp; b'],
    ),
    fc.constantFrom('', '', ' ', '\n', '\n=1', "\n'a", '\n7.900'),
  )
  .map(parts => parts.join(''));
const character = fc.oneof(
  fc.constantFrom('\t', '\n', ' ', '"', ';', ',', "'", '='),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const text = fc.oneof(
  oddText,
  fc
    .string({ unit: character, minLength: 1, maxLength: 40 })
    .map(raw => raw.replace(/[\p{Cs}\0\r]/gu, ' '))
    .filter(raw => raw.trim() !== ''),
);
const id = fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,12}$/u);
const figure = fc.oneof(
  text,
  fc.constantFrom(1e-7, 1.5e-9, 1.234, 12_345.678, -0.001, 7900, 2 ** 53 - 1),
  fc.integer({ min: -1e9, max: 1e9 }).map(thousandths => (thousandths + 0) / 1000),
);
const metric = fc.record(
  { name: text, value: figure, unit: text, window: text, baseline: figure, n: fc.nat() },
  { requiredKeys: ['name', 'value'] },
);
const proof = fc.record({
  proof_id: id,
  type: text,
  title: text,
  summary: text,
  client: text,
  verifiable_by: text,
  confidentiality: fc.constantFrom('public', 'anonymised', 'on_request', 'confidential'),
});
const claimWith = (proofIds: readonly string[]) =>
  fc.record(
    {
      claim_id: id,
      statement: text,
      category: text,
      metric,
      boundary: fc.record({ applicable_for: text, not_applicable_for: text }),
      confidence: fc.oneof(fc.constantFrom('high', 'medium', 'low'), text),
      proof_ids: fc.subarray([...proofIds]),
    },
    { requiredKeys: ['claim_id', 'statement', 'category', 'boundary', 'confidence', 'proof_ids'] },
  );
const questionOf = (ids: readonly string[]) =>
  fc.record(
    {
      text: text.map(raw => raw.replace(/\s+/g, ' ').trim()),
      language: fc.constantFrom('es', 'en', 'EN', 'pt-BR'),
      claim_id: fc.constantFrom(...ids),
    },
    { requiredKeys: ['text', 'claim_id'] },
  );
const profiles = fc
  .uniqueArray(proof, { selector: ({ proof_id }) => proof_id, maxLength: 4 })
  .chain(proofs => {
    const claim = claimWith(proofs.map(({ proof_id }) => proof_id));
    const options = {
      selector: ({ claim_id }: { claim_id: string }) => claim_id,
      minLength: 1,
      maxLength: 4,
    };
    return fc.uniqueArray(claim, options).chain(claims =>
      fc.record({
        language: fc.constantFrom('es', 'en', 'en-GB', 'fr'),
        proofs: fc.constant(proofs),
        claims: fc.constant(claims),
        questions: fc.array(questionOf(claims.map(({ claim_id }) => claim_id)), { maxLength: 6 }),
      }),
    );
  })
  .map(profile => JSON.parse(JSON.stringify(profile)));

describe('claims that go out and come in again', () => {
  it('are the same, whatever is in them, in a profile that has them and in an empty one', () => {
    fc.assert(
      fc.property(profiles, profile => {
        const draft = draftOf(profile);
        const sheet = read(writeSheet(draft));
        assert.deepEqual(sheet.faults, []);
        const again = mergeSheet(draft, sheet);
        assert.deepEqual([again.claims.changes, again.proofs.changes], [[], []]);
        assert.deepEqual(withDraft(profile, again.draft), profile);
        const fresh = mergeSheet(draftOf({ language: profile.language }), sheet).draft;
        assert.deepEqual(fresh, draft);
      }),
      { numRuns: 300 },
    );
  });

  it('are never taken for a formula: an apostrophe stands before each sign of one, on every line', () => {
    const written = (statement: string) =>
      writeSheet({ claims: [{ ...CLAIM, statement }], proofs: [], language: 'en' });
    for (const sign of ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '＝1', '＋1', '－1', '＠1', "'=1"])
      assert.ok(written(sign).includes(`,"'${sign}",`), JSON.stringify(sign));
    assert.ok(written("una línea\n=1+1\n'otra").includes(`,"una línea\n'=1+1\n''otra",`));
    assert.match(written('precio;"=HYPERLINK("x")"'), /"precio;""=HYPERLINK\(""x""\)"""/);
  });
});

describe('questions in a sheet', () => {
  const profile = {
    language: 'es',
    claims: [
      { claim_id: 'clm-a', statement: 'Uno.', proof_ids: [] },
      { claim_id: 'clm-b', statement: 'Dos.', proof_ids: [] },
    ],
    questions: [
      { text: '¿Uno?', claim_id: 'clm-a' },
      { text: 'One?', language: 'en', claim_id: 'clm-a' },
      { text: '¿Dos?', language: 'es', claim_id: 'clm-b' },
    ],
  };

  it('stand one a line in the column of their language, and replace those of their claim there', () => {
    const { questions } = merged(
      profile,
      'id de la afirmación;afirmación;preguntas es\nclm-a;Uno.;"¿Uno?\n ¿y uno más? "\n',
    );
    assert.deepEqual(questions, [
      ...profile.questions,
      { text: '¿y uno más?', language: 'es', claim_id: 'clm-a' },
    ]);
  });

  it('stay as they are without such a column, and go where the cell is empty or their claim goes', () => {
    const withoutColumn = 'claim id,statement\nclm-a,Uno.\n';
    assert.deepEqual(merged(profile, withoutColumn).questions, profile.questions);
    const [, english, second] = profile.questions;
    const emptied = 'claim id,statement,questions es\nclm-a,Uno.,\n';
    assert.deepEqual(merged(profile, emptied).questions, [english, second]);
    assert.deepEqual(merged(profile, 'claim id,statement\nclm-b,Dos.\n', true).questions, [second]);
  });
});

describe('a sheet', () => {
  it('without ids knows its claims again by their words, two of the same words too', () => {
    const content = 'statement,category\nUno.,a\nUno.,b\n';
    const first = merged({}, content);
    assert.deepEqual(merged(first, content), first);
  });

  it('finds a claim once, by its id or by its words', () => {
    const profile = { claims: [{ ...CLAIM, statement: 'Uno.' }] };
    const { claims } = merged(profile, `claim id,statement\n${CLAIM.claim_id},Uno.\n,Uno.\n`);
    assert.deepEqual(
      (claims as { claim_id: string }[]).map(({ claim_id }) => claim_id),
      [CLAIM.claim_id, 'clm-uno'],
    );
  });

  it('keeps the apostrophe that a person wrote, and drops the one before what would be a formula', () => {
    const sheet = read(
      `statement,questions en\n'Best' is our word.,"'Best' of what?\n'-20% when?"\n'=1+1,\n`,
    );
    assert.deepEqual(
      sheet.claims.map(({ members }) => members),
      [
        { statement: "'Best' is our word.", questions: { en: ["'Best' of what?", '-20% when?'] } },
        { statement: '=1+1' },
      ],
    );
  });

  it('in the letters of Windows, as Excel saves a CSV, is read, and says so', () => {
    const sheet = read(Buffer.from('afirmación;unidad\n«Señal» de año: 45\x80\x85;\x80\n', 'latin1'));
    assert.deepEqual(sheet.claims[0]?.members, { statement: '«Señal» de año: 45€…', metric: { unit: '€' } });
    assert.equal(sheet.isWindows, true);
    assert.equal(read('afirmación\nSeñal\n').isWindows, false);
  });

  it('has a proof that is copied down once, and takes its id alone beside a claim as its name', () => {
    const proof = 'prf-1,informe,Un informe';
    const { claims: all, proofs: list } = merged(
      {},
      `statement,proof id,proof type,proof title\nUno,${proof}\nDos,${proof}\nTres,prf-1,,\n`,
    ) as { claims: { proof_ids: string[] }[]; proofs: { title: string }[] };
    assert.deepEqual(
      all.map(({ proof_ids }) => proof_ids),
      [['prf-1'], ['prf-1'], ['prf-1']],
    );
    assert.deepEqual(
      list.map(({ title }) => title),
      ['Un informe'],
    );
  });

  for (const [what, content, message] of [
    ['without headings', 'a,b\n1,2\n', /^the first row has none of the headings: write at least "statement"/],
    ['with a heading twice', 'statement,Afirmación\na,b\n', /"statement" and "Afirmación" mean the same/],
    ['with a formula', 'statement\n=1+1\n', /row 2, statement: holds a formula/],
    ['with a Spanish error', 'statement,value\nUno,#¡REF!\n', /row 2, value: holds the error #¡REF!/],
    [
      'with a figure that may be two',
      'statement,value\nUno,1.234\n',
      /value: may have thousands or decimals/,
    ],
    ['with a count that is none', 'statement,cases\nUno,muchos\n', /cases: is no number/],
    ['with more cells than headings', 'statement,category\nUno,dos,tres\n', /^row 2 has more cells than/],
    ['in UTF-16', 's\0t\0a\0t\0e\0', /^is UTF-16 or no text: save it as "CSV UTF-8"/],
    ['with a quote that never ends', 'statement\n"Uno\nDos\n', /^row 2 has a quotation mark out of place/],
  ] as const)
    it(`${what} gets a clear error`, () => {
      assert.match(messageOf(content), message);
    });
});

function messageOf(content: string): string {
  try {
    return read(content)
      .faults.map(({ row, heading, message }) => `row ${row}, ${heading}: ${message}`)
      .join('\n');
  } catch (error) {
    assert.ok(error instanceof SheetError, String(error));
    return error.message;
  }
}

describe('aval csv import', () => {
  const imported = async (content: string, replace = false) => {
    const folder = await profileFolder();
    await writeFile(folder.path('claims.csv'), content);
    const options = { brand: folder.path('brand.json'), now: NOW, replace };
    const bytes = await readFile(options.brand);
    const result = await run(output => importClaims(folder.path('claims.csv'), options, output));
    const isWritten = !bytes.equals(await readFile(options.brand));
    return { ...folder, ...result, isWritten };
  };

  it('writes nothing while a cell is at fault, and names its row and column', async () => {
    const { code, stdout, isWritten } = await imported('afirmación,se aplica a\nMolemos cada lunes,Todas\n');
    assert.deepEqual([code, isWritten], [1, false]);
    assert.match(
      stdout,
      /^claims\.csv: fault: row 2, clm-molemos-cada-lunes, "confianza": is missing \(fill in/m,
    );
  });

  it('says what a cell was and is, keeps what the sheet does not have, and drops it with --replace', async () => {
    const sheet = `claim id,statement\n${CLAIM.claim_id},Una sesión cuesta 50 euros.\n`;
    const changed = await imported(sheet);
    assert.equal(changed.code, 0);
    assert.match(
      changed.stderr,
      /^clm-session, "statement": “Una sesión individual cuesta 45 euros\.” is now “Una sesión cuesta 50 euros\.”$/m,
    );
    assert.match(changed.stderr, /1 claim \(0 new, 1 changed, 0 as before\)[\s\S]*not signed now\. Next: /);
    const other = `statement,category,applies to,does not apply to,confidence\n"Abrimos a las 9.",horario,"Días laborables.","Festivos.",media\n`;
    const added = await imported(other);
    assert.match(
      added.stderr,
      /^Kept, though the file does not have them: clm-session \(--replace drops them\)$/m,
    );
    const ids = (document: { claims: { claim_id: string }[] }) =>
      document.claims.map(claim => claim.claim_id);
    assert.deepEqual(ids(await added.read()), ['clm-abrimos-a-las-9', 'clm-session']);
    assert.deepEqual(ids(await (await imported(other, true)).read()), ['clm-abrimos-a-las-9']);
  });

  it('writes nothing that is no profile: without claims, or too large to be read', async () => {
    const headings = 'statement,category,applies to,does not apply to,confidence\n';
    const empty = await imported(headings, true);
    assert.deepEqual([empty.code, empty.isWritten], [1, false]);
    assert.match(empty.stdout, /^claims\.csv: fault: claims: is empty/m);
    assert.match(empty.stderr, /1 fault$/m);
    const row = `${'a'.repeat(MAX_PROFILE_BYTES)},horario,Siempre.,Nunca.,media\n`;
    const large = await imported(headings + row);
    assert.deepEqual([large.code, large.isWritten], [1, false]);
    assert.match(large.stdout, /^claims\.csv: fault: the profile: is \d+ bytes long, at most 16777216/m);
  });

  it('writes nothing for an export that nobody changed', async () => {
    const { path } = await profileFolder();
    const brand = path('brand.json');
    await run(output => exportClaims(path('claims.csv'), { brand }, output));
    const bytes = await readFile(brand);
    const { code, stderr } = await run(output =>
      importClaims(path('claims.csv'), { brand, now: NOW }, output),
    );
    assert.deepEqual([code, bytes.equals(await readFile(brand))], [0, true]);
    assert.match(stderr, /\(0 new, 0 changed, 1 as before\)[\s\S]*Nothing changed, so nothing was written/);
  });
});
