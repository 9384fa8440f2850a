import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import writeXlsx from 'write-excel-file/node';
import { loadProfile } from '../brand/profile/profile.ts';
import { importClaims } from '../owner/commands/import.ts';
import { formatOf } from '../owner/exchange/formats.ts';
import { temporaryFolder } from './folder.ts';
import { NOW, PROFILE } from './signed-profile.ts';

const HEADINGS = 'claim id,statement,category,applies to,does not apply to,confidence';
const ROW = 'clm-margin,We lift the gross margin.,prices,Makers of packaged food.,Traders of raw materials.,medium';

/** Imports a file into the profile, and tells what was said and written. */
async function imported(name: string, content: string, options: { replace?: boolean } = {}) {
  const directory = temporaryFolder();
  const [brand, file] = [join(directory, 'brand.json'), join(directory, name)];
  await writeFile(brand, JSON.stringify(PROFILE));
  await writeFile(file, content);
  const [out, err]: [string[], string[]] = [[], []];
  const code = await importClaims(
    file,
    { brand, now: NOW, ...options },
    {
      stdout: { write: (text: string) => out.push(text) > 0 },
      stderr: { write: (text: string) => err.push(text) > 0 },
    },
  );
  const written = JSON.parse(await readFile(brand, 'utf8'));
  return { code, said: out.join(''), told: err.join(''), written };
}

describe('aval import', () => {
  it('names every claim that it changes, before and after, and with --replace every claim that it drops', async () => {
    const { told, written } = await imported('claims.csv', `${HEADINGS}\n${ROW}\n`, { replace: true });
    assert.match(
      told,
      /claim clm-margin: changed\n[\s\S]*- We raise the gross margin by 3\.4 points\.\n {4}\+ We lift the gross margin\./,
    );
    assert.match(told, /claim clm-price: removed\n {2}statement\n {4}- A first diagnosis costs 0 euros\./);
    assert.equal(written.claims.length, 1);
  });

  it('writes nothing where the file has a fault', async () => {
    const { code, told, written } = await imported('claims.csv', `${HEADINGS}\n${ROW.replace('prices', '')}\n`);
    assert.equal(code, 1);
    assert.match(told, /Nothing was written\. Mend the faults/);
    assert.deepEqual(written, JSON.parse(JSON.stringify(PROFILE)));
  });

  it('refuses a first sheet with a broken proof, and takes the sheet once it is mended, with nothing of the first left', async () => {
    const proofs = (summary: string) =>
      `${HEADINGS},proof id,proof type,proof title,proof summary,client,verifiable by,confidentiality\n${ROW},prf-new,audit,Margins of 27 clients,${summary},27 food makers,The auditor,anonymised\n`;
    const { at, imports, document } = await desk();
    await writeFile(at('claims.csv'), proofs(''));
    const broken = await imports('claims.csv');
    assert.equal(broken.code, 1);
    assert.match(broken.said, /line 2, "proof summary".*is missing/);
    assert.deepEqual(await document(), JSON.parse(JSON.stringify(PROFILE)));
    await writeFile(at('claims.csv'), proofs('Audited accounts.'));
    const mended = await imports('claims.csv');
    assert.equal(mended.code, 0, mended.said);
    const { proofs: written } = await document();
    const found = written.filter(({ proof_id }: { proof_id: string }) => proof_id === 'prf-new');
    assert.deepEqual(
      found.map(({ summary }: { summary: string }) => summary),
      ['Audited accounts.'],
    );
  });

  it('names the prose of a Markdown file that it does not read', async () => {
    const text = '## We lift the gross margin.\n\nThis paragraph says more.\n\n- category: prices\n';
    assert.match((await imported('claims.md', text)).told, /line 3: not read: “This paragraph says more\.”/);
  });

  it('reads a percentage of a workbook as it looks', async () => {
    const headings = ['statement', 'metric', 'value', 'unit'].map(value => ({ value }));
    const row = [
      { value: 'We settle 71 %.' },
      { value: 'settled' },
      { value: 0.71, type: Number, format: '0%' },
      { value: '%' },
    ];
    const bytes = await writeXlsx([headings, row]).toBuffer();
    const { claims } = await formatOf('claims.xlsx').read(new Uint8Array(bytes));
    assert.equal(JSON.stringify(claims[0]?.members).includes('"value":71'), true, JSON.stringify(claims));
  });
});

/** A profile in a folder, which editors export from and import into. */
async function desk(profile: object = PROFILE) {
  const directory = temporaryFolder();
  const brand = join(directory, 'brand.json');
  await writeFile(brand, JSON.stringify(profile));
  const at = (name: string) => join(directory, name);
  return {
    at,
    document: async () => JSON.parse(await readFile(brand, 'utf8')),
    exported: async (name: string) => {
      const loaded = await loadProfile(brand);
      await writeFile(at(name), await formatOf(name).write(loaded.profile));
    },
    async imports(name: string, options: { onConflict?: 'file' | 'profile'; replace?: boolean } = {}) {
      const texts: string[] = [];
      const output = { write: (text: string) => texts.push(text) > 0 };
      const code = await importClaims(at(name), { brand, now: NOW, ...options }, { stdout: output, stderr: output });
      return { code, said: texts.join('') };
    },
  };
}

/** Changes texts in an exported file, as an editor would. */
async function edit(file: string, [before, after]: readonly [string, string]): Promise<void> {
  if (file.endsWith('.csv')) {
    const text = await readFile(file, 'utf8');
    assert.ok(text.includes(before), before);
    return writeFile(file, text.replace(before, after));
  }
  const parts = unzipSync(await readFile(file));
  const changed = Object.entries(parts).map(([name, bytes]) => {
    const text = strFromU8(bytes);
    return [name, name.endsWith('.xml') ? strToU8(text.replace(before, after)) : bytes] as const;
  });
  await writeFile(file, zipSync(Object.fromEntries(changed)));
}

const [MARGIN, COST] = ['We raise the gross margin by 3.4 points.', 'A first diagnosis costs 0 euros.'];

describe('two editors of one profile', () => {
  for (const ending of ['csv', 'xlsx']) {
    it(`are told of each cell that both changed, with both values, and nothing is written until one side counts: ${ending}`, async () => {
      const { at, exported, imports, document } = await desk();
      const [ana, ben] = [`ana.${ending}`, `ben.${ending}`];
      await exported(ana);
      await exported(ben);
      await edit(at(ana), [MARGIN, 'We raise the gross margin by 3.4 points at once.']);
      await edit(at(ben), [MARGIN, 'We raise the gross margin by 3.4 points in a year.']);
      await edit(at(ben), [COST, 'The first diagnosis costs 0 euros.']);
      assert.equal((await imports(ana)).code, 0);
      const before = await document();
      const { code, said } = await imports(ben);
      assert.equal(code, 1, said);
      assert.match(
        said,
        /conflict: .*row|line .*clm-margin, "statement" \(afirmación\): here "[^"]* in a year\.", in the profile "[^"]* at once\."; both changed/,
      );
      assert.match(said, /1 conflict\. Nothing was written\..*--on-conflict file or --on-conflict profile/);
      assert.deepEqual(await document(), before);

      assert.equal((await imports(ben, { onConflict: 'profile' })).code, 0);
      const statements = async () => (await document()).claims.map(({ statement }: { statement: string }) => statement);
      assert.deepEqual(await statements(), [
        'We raise the gross margin by 3.4 points at once.',
        'The first diagnosis costs 0 euros.',
      ]);
      await edit(at(ben), ['points in a year', 'points in two years']);
      assert.equal((await imports(ben)).code, 1);
      assert.equal((await imports(ben, { onConflict: 'file' })).code, 0);
      assert.match((await statements()).join(), /in two years/);
    });
  }

  it('keep each other’s changes of different cells, and may import one sheet again and again', async () => {
    const { at, exported, imports, document } = await desk();
    await exported('ana.csv');
    await exported('ben.csv');
    await edit(at('ana.csv'), [MARGIN, 'We raise the gross margin by 3.4 points at once.']);
    await edit(at('ben.csv'), [COST, 'The first diagnosis costs 0 euros.']);
    await imports('ana.csv');
    const { code, said } = await imports('ben.csv');
    assert.equal(code, 0, said);
    assert.match(said, /1 cell changed in .*brand\.json since the export: kept/);
    await edit(at('ben.csv'), ['The first diagnosis', 'Each first diagnosis']);
    assert.equal((await imports('ben.csv')).code, 0);
    const { claims } = await document();
    assert.deepEqual(
      [claims[0].statement, claims[1].statement],
      ['We raise the gross margin by 3.4 points at once.', 'Each first diagnosis costs 0 euros.'],
    );
  });

  it('are told of a claim that the other one dropped', async () => {
    const { at, exported, imports, document } = await desk();
    await exported('ana.csv');
    await exported('ben.csv');
    const rows = (await readFile(at('ana.csv'), 'utf8')).split('\n');
    await writeFile(at('ana.csv'), rows.filter(row => !row.includes('clm-price')).join('\n'));
    assert.equal((await imports('ana.csv', { replace: true })).code, 0);
    const { code, said } = await imports('ben.csv');
    assert.equal(code, 1);
    assert.match(said, /conflict: line \d+, clm-price: the profile had it at the export, and has it no longer/);
    assert.equal((await imports('ben.csv', { onConflict: 'profile' })).code, 0);
    assert.equal((await document()).claims.length, 1);
  });
});

describe('a sheet in Spanish', () => {
  const spanish = { ...PROFILE, language: 'es' };

  it('goes out as Excel in Spanish opens it: semicolons, decimal commas, Spanish words; and comes in the same', async () => {
    const { at, exported, imports, document } = await desk(spanish);
    await exported('claims.csv');
    const [headings = '', row = ''] = (await readFile(at('claims.csv'), 'utf8')).split('\n');
    assert.match(headings, /^\uFEFFid de la afirmación;afirmación;.*;marca de exportación/);
    assert.match(row, /^clm-margin;.*;3,4;/);
    assert.match(row, /;(alta|media|baja);/);
    const { said } = await imports('claims.csv');
    assert.match(said, /2 afirmaciones \(nuevas: 0, cambiadas: 0, como antes: 2\), \d pruebas?, 0 errores/);
    assert.deepEqual(await document(), JSON.parse(JSON.stringify(spanish)));
  });

  it('is answered in Spanish, with the cell to fill in', async () => {
    const { at, imports } = await desk(spanish);
    await writeFile(
      at('claims.csv'),
      'afirmación;categoría;se aplica a\nMolemos cada lunes;molienda;Todas las harinas\n',
    );
    const { said } = await imports('claims.csv');
    assert.match(said, /claims\.csv: error: línea 2, \S+, "confidence" \(confianza\): falta \(rellena la celda\)/);
    assert.match(said, /No se ha escrito nada\. Corrige los errores/);
  });

  it('offers the words of a cell that takes one of few, in a workbook', async () => {
    for (const [profile, words] of [
      [PROFILE, 'high,medium,low'],
      [spanish, 'alta,media,baja'],
    ] as const) {
      const { at, exported } = await desk(profile);
      await exported('claims.xlsx');
      const parts = unzipSync(await readFile(at('claims.xlsx')));
      const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
      assert.match(
        sheet,
        new RegExp(
          `</sheetData><dataValidations count="1"><dataValidation type="list"[^>]* sqref="F2:F50000"><formula1>"${words}"`,
        ),
      );
      assert.match(sheet, /<col [^>]*min="14"[^>]*hidden="1"/);
    }
  });
});

describe('the warnings of an import', () => {
  it('are those of what it brought in; the others are counted', async () => {
    const { at, exported, imports } = await desk({
      ...PROFILE,
      claims: PROFILE.claims.map(claim => ({ ...claim, confidence: 'high', proof_ids: [] })),
    });
    await exported('claims.csv');
    const first = await imports('claims.csv');
    assert.match(first.said, /\d+ warnings? on what did not change: .*check/);
    assert.doesNotMatch(first.said, /: warning: /);
    await edit(at('claims.csv'), [MARGIN, 'We raise the gross margin.']);
    const second = await imports('claims.csv');
    assert.match(second.said, /: warning: line 2, clm-margin/);
    assert.doesNotMatch(second.said, /: warning: .*clm-price/);
  });
});
