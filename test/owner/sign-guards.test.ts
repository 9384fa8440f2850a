import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { run, terminal } from '../cli/command.ts';
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

interface Signing {
  readonly yes?: boolean;
  readonly renew?: string;
  /** What a person types; without it nobody sits at the terminal. */
  readonly typed?: string;
  readonly key?: string;
  readonly now?: Date;
}

async function signed(
  path: (name: string) => string,
  { typed, key = 'brand.key.json', now = NOW, ...options }: Signing,
) {
  const { stdin } = terminal(typed === undefined ? undefined : [typed]);
  const settings = { keys: [path(key)], now, ...options };
  const { code, stderr } = await run(output => sign(path('brand.json'), settings, { stdin, ...output }));
  assert.notEqual(stdin.readableFlowing, true, 'nothing waits for another line');
  const isSigned = (await readFile(path('brand.json'), 'utf8')).includes('"signatures"');
  return { code, stderr, isSigned };
}

const [first, second] = PROFILE.claims;

describe('aval sign', () => {
  it('signs when somebody says yes, and says how a running server takes the text', async () => {
    const path = await folder(PROFILE);
    const refused = await signed(path, { typed: 'n' });
    assert.deepEqual([refused.code, refused.isSigned], [1, false]);
    const agreed = await signed(path, { typed: 'y' });
    assert.deepEqual([agreed.code, agreed.isSigned], [0, true]);
    assert.match(
      agreed.stderr,
      /A running server keeps the old text until it reads this file: .* systemctl reload aval/,
    );
  });

  it('makes keys only when somebody says yes', async () => {
    const path = folderWith({ 'brand.json': JSON.stringify(PROFILE) });
    const signing = (typed: string) =>
      run(output => {
        const { stdin } = terminal([typed]);
        return sign(path('brand.json'), { now: NOW }, { stdin, ...output });
      });
    assert.equal((await signing('n')).code, 1);
    assert.deepEqual(readdirSync(path('.')), ['brand.json']);
    const { code, stderr } = await signing('y');
    assert.equal(code, 0);
    assert.match(stderr, /private key: .*brand\.key\.json \(keep it off the server/);
    assert.deepEqual(readdirSync(path('.')).sort(), ['brand.json', 'brand.jwks.json', 'brand.key.json']);
    assert.equal(
      (await run(output => check(path('brand.json'), { now: NOW, strict: true }, output))).code,
      0,
    );
  });

  it('overwrites nothing that an editor saved while it asked', async () => {
    const path = await folder(PROFILE);
    const edited = JSON.stringify({ ...PROFILE, description: 'Edited meanwhile.' });
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const signing = run(output =>
      sign(path('brand.json'), { keys: [path('brand.key.json')], now: NOW }, { stdin, ...output }),
    );
    stdin.once('resume', () => {
      writeFileSync(path('brand.json'), edited);
      stdin.write('y\n');
    });
    await assert.rejects(
      signing,
      /brand\.json was changed meanwhile, so it was not written: run the command/,
    );
    assert.equal(await readFile(path('brand.json'), 'utf8'), edited);
  });

  it('signs nothing where nobody can be asked, unless --yes says so; a text that did not change needs no yes', async () => {
    const path = await folder(PROFILE);
    const silent = await signed(path, {});
    assert.deepEqual([silent.code, silent.isSigned], [1, false]);
    assert.match(silent.stderr, /--yes/);
    assert.equal((await signed(path, { yes: true })).code, 0);
    assert.equal((await signed(path, {})).code, 0);
  });

  it('shows the findings of aval check before it asks, and signs over no fault', async () => {
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
      const { code, stderr, isSigned } = await signed(path, { yes: true });
      assert.deepEqual([code, isSigned], checked.code === 0 ? [0, true] : [1, false]);
      const lines = checked.stdout.split('\n').filter(line => line !== '' && !line.includes('signatures'));
      assert.ok(lines.length > 0);
      for (const line of lines) assert.ok(stderr.includes(line), line);
    }
  });
});
