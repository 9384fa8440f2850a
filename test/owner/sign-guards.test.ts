import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { run } from '../cli/command.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, ES256_KEY, keySet, NOW, PROFILE } from '../trust/signed-profile.ts';

/** A folder with a profile, its key and its key set, and further files. */
const folder = async (profile: object, files: Readonly<Record<string, string>> = {}) =>
  folderWith({
    'brand.json': JSON.stringify(profile, null, 2),
    'brand.key.json': bytesOf(ES256_KEY.jwk),
    'brand.jwks.json': await keySet(ES256_KEY),
    ...files,
  });

async function signed(path: (name: string) => string) {
  const settings = { keys: [path('brand.key.json')], now: NOW };
  const { code, stderr } = await run(output => sign(path('brand.json'), settings, output));
  const isSigned = (await readFile(path('brand.json'), 'utf8')).includes('"signatures"');
  return { code, stderr, isSigned };
}

const [first, second] = PROFILE.claims;

describe('aval sign', () => {
  it('says how a running server takes the text', async () => {
    const { code, stderr, isSigned } = await signed(await folder(PROFILE));
    assert.deepEqual([code, isSigned], [0, true]);
    assert.match(
      stderr,
      /A running server keeps the old text until it reads this file: .* systemctl reload aval/,
    );
  });

  it('makes keys where there are none', async () => {
    const path = folderWith({ 'brand.json': JSON.stringify(PROFILE) });
    const { code, stderr } = await run(output => sign(path('brand.json'), { now: NOW }, output));
    assert.equal(code, 0);
    assert.match(stderr, /private key: .*brand\.key\.json \(keep it off the server/);
    assert.deepEqual(readdirSync(path('.')).sort(), ['brand.json', 'brand.jwks.json', 'brand.key.json']);
    assert.equal((await run(output => check(path('brand.json'), { now: NOW }, output))).code, 0);
  });

  it('shows the findings of aval check and signs over no fault', async () => {
    const proofs = [
      { ...PROFILE.proofs[0], client: 'GRUPO VALDECUERVO', confidentiality: 'on_request' },
      { ...PROFILE.proofs[1], client: 'Grupo Valdecuervo', confidentiality: 'public' },
    ];
    for (const profile of [
      { ...PROFILE, description: 'We work for Peñarrubia too.' },
      { ...PROFILE, proofs },
      { ...PROFILE, questions: [], claims: [first, { ...second, statement: first?.statement }] },
    ]) {
      const path = await folder(profile, { 'never-publish.txt': '# clients\n\npenarrubia\n' });
      const checked = await run(output => check(path('brand.json'), { now: NOW }, output));
      const { code, stderr, isSigned } = await signed(path);
      assert.deepEqual([code, isSigned], checked.code === 0 ? [0, true] : [1, false]);
      const lines = checked.stdout.split('\n').filter(line => line !== '' && !line.includes('signatures'));
      assert.ok(lines.length > 0);
      for (const line of lines) assert.ok(stderr.includes(line), line);
    }
  });
});
