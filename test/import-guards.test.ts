import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import writeXlsx from 'write-excel-file/node';
import { importClaims } from '../owner/commands/import.ts';
import { formatOf } from '../owner/exchange/formats.ts';
import { NOW, PROFILE } from './signed-profile.ts';

const HEADINGS = 'claim id,statement,category,applies to,does not apply to,confidence';
const ROW = 'clm-margin,We lift the gross margin.,prices,Makers of packaged food.,Traders of raw materials.,medium';

/** Imports a file into the profile, and tells what was said and written. */
async function imported(name: string, content: string, options: { replace?: boolean } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
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
