import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readKeySet } from '../../brand/trust/keys.ts';
import { verifyProfile } from '../../brand/trust/verify-profile.ts';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { verify } from '../../server/cli/verify.ts';
import { run } from '../cli/command.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, ES256_KEY, NOW, PROFILE, signedBytes } from '../trust/signed-profile.ts';

/** A folder with a profile, and the ways to sign, verify and read it. */
function folder(profile: object, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const path = folderWith({ 'brand.json': bytesOf(profile), ...files });
  const file = path('brand.json');
  const signIt = (options: Partial<Parameters<typeof sign>[1]> = {}) =>
    run(output => sign(file, { now: NOW, ...options }, output));
  const verifyIt = () => run(output => verify(file, { now: NOW, host: 'brand.example' }, output));
  return { path, file, signIt, verifyIt, read: async () => JSON.parse(await readFile(file, 'utf8')) };
}

const KEY = { 'key.json': bytesOf(ES256_KEY.jwk) };

describe('aval sign', () => {
  it('makes a key for its owner alone where there is none, and a signature that verifies', async () => {
    const { path, signIt, verifyIt } = folder(PROFILE);
    const signed = await signIt();
    assert.equal(signed.code, 0);
    assert.match(signed.stderr, /private key: .*brand\.key\.json \(keep it off the server/);
    assert.deepEqual(readdirSync(path('.')).sort(), ['brand.json', 'brand.jwks.json', 'brand.key.json']);
    assert.equal((await stat(path('brand.key.json'))).mode & 0o777, 0o600);
    assert.equal((await signIt()).stdout, signed.stdout, 'the key that is there signs again');
    const verified = await verifyIt();
    assert.deepEqual(
      [verified.code, verified.stdout],
      [0, `verified: The Brand (https://brand.example) until 2027-01-01T00:00:00Z, key ${signed.stdout}`],
    );
    assert.match(verified.stderr, /not that its claims are true/);
  });

  it('writes the public keys where there are none beside the profile', async () => {
    const { path, signIt, verifyIt } = folder(PROFILE, KEY);
    await signIt({ keys: [path('key.json')] });
    assert.equal((await verifyIt()).code, 0);
  });

  it('refuses a key that the key set beside the profile lacks', async () => {
    const { path, file, signIt } = folder(PROFILE, KEY);
    await signIt();
    const before = await readFile(file);
    await assert.rejects(
      signIt({ keys: [path('key.json')] }),
      /brand\.jwks\.json does not have the public half of this key/,
    );
    await rm(path('brand.key.json'));
    await assert.rejects(signIt(), /there is no .*brand\.key\.json, though there is .*brand\.jwks\.json/);
    assert.deepEqual(await readFile(file), before);
  });

  it('rotates keys: both are published, both sign, then the new one alone', async () => {
    const { path, file, signIt } = folder(PROFILE);
    const newKey = path('new.json');
    await signIt();
    const before = await readFile(file);
    assert.match((await signIt({ newKey })).stderr, /Nothing was signed: publish .*brand\.jwks\.json/);
    assert.deepEqual(await readFile(file), before);
    const jwks = await readFile(path('brand.jwks.json'));
    assert.equal((await readKeySet(jwks)).length, 2);
    for (const keys of [[path('brand.key.json'), newKey], [newKey]]) {
      const { stdout } = await signIt({ keys });
      const { kids } = await verifyProfile(await readFile(file), { jwks, now: NOW });
      assert.equal(`${kids.join('\n')}\n`, stdout);
      assert.equal(kids.length, keys.length);
    }
  });

  it('makes no key in the place of a file', async () => {
    const { path, signIt } = folder(PROFILE);
    await signIt();
    const newKey = path('brand.key.json');
    const before = await readFile(newKey);
    await assert.rejects(signIt({ newKey }), /brand\.key\.json is there already/);
    assert.deepEqual(await readFile(newKey), before);
  });

  it('writes through no symbolic link in the folder of a profile, and leaves what it points at', async () => {
    for (const name of ['brand.json', 'brand.key.json', 'brand.jwks.json']) {
      const { path, signIt } = folder(PROFILE, { 'victim.txt': bytesOf(PROFILE) });
      await rm(path(name), { force: true });
      const isProfile = name === 'brand.json';
      await symlink(path(isProfile ? 'victim.txt' : 'nowhere'), path(name));
      await assert.rejects(
        signIt(),
        new RegExp(`${name.replaceAll('.', '\\.')} is a symbolic link, and Aval writes to plain files only`),
        name,
      );
      assert.deepEqual(await readFile(path('victim.txt')), Buffer.from(bytesOf(PROFILE)));
      await assert.rejects(readFile(path('nowhere')), /ENOENT/);
    }
  });

  it('overwrites nothing that an editor saved meanwhile', async () => {
    const { file } = folder({ ...PROFILE, questions: [] });
    const edited = JSON.stringify({ ...PROFILE, description: 'Edited meanwhile.' });
    // The editor saves while the warnings are printed.
    const stderr = { write: () => writeFileSync(file, edited) };
    await assert.rejects(
      sign(file, { now: NOW }, { stdout: stderr, stderr }),
      /brand\.json was changed meanwhile, so it was not written: run the command again/,
    );
    assert.equal(await readFile(file, 'utf8'), edited);
  });

  it('renews the dates where asked, an expired profile included, and refuses a span that is none', async () => {
    const { path, signIt, read } = folder(JSON.parse(Buffer.from(await signedBytes()).toString()), KEY);
    const keys = [path('key.json')];
    const now = new Date('2028-03-01T10:00:00Z');
    for (const [renew, until] of [
      ['1y', '2029-03-01T10:00:00Z'],
      ['6m', '2028-09-01T10:00:00Z'],
      ['90d', '2028-05-30T10:00:00Z'],
    ] as const) {
      await signIt({ keys, now, renew });
      const { issued_at, expires_at, last_updated } = await read();
      assert.deepEqual(
        [issued_at, last_updated, expires_at],
        ['2028-03-01T10:00:00Z', '2028-03-01T10:00:00Z', until],
      );
    }
    for (const renew of ['1', 'y', '0d', '1 y', '-1y'])
      await assert.rejects(signIt({ keys, now, renew }), /--renew takes days, months or years/);
  });

  it('shows the findings of aval check and signs over no fault', async () => {
    const [first, second] = PROFILE.claims;
    const proofs = [
      { ...PROFILE.proofs[0], client: 'GRUPO VALDECUERVO', confidentiality: 'on_request' },
      { ...PROFILE.proofs[1], client: 'Grupo Valdecuervo', confidentiality: 'public' },
    ];
    for (const profile of [
      { ...PROFILE, description: 'We work for Peñarrubia too.' },
      { ...PROFILE, proofs },
      { ...PROFILE, questions: [], claims: [first, { ...second, statement: first?.statement }] },
    ]) {
      const { file, signIt, read } = folder(profile, { 'never-publish.txt': '# clients\n\npenarrubia\n' });
      const checked = await run(output => check(file, { now: NOW }, output));
      const { code, stderr } = await signIt();
      assert.deepEqual([code, 'signatures' in (await read())], checked.code === 0 ? [0, true] : [1, false]);
      const lines = checked.stdout.split('\n').filter(line => line !== '' && !line.includes('signatures'));
      assert.ok(lines.length > 0);
      for (const line of lines) assert.ok(stderr.includes(line), line);
    }
  });

  it('sets last_updated to the day on which the text changed', async () => {
    const { file, signIt, read } = folder({ ...PROFILE, last_updated: '2026-01-01T00:00:00Z' });
    await signIt();
    assert.equal((await read()).last_updated, '2026-06-01T12:00:00Z');
    await signIt({ now: new Date('2026-07-01T12:00:00Z') });
    assert.equal((await read()).last_updated, '2026-06-01T12:00:00Z');
    await writeFile(file, JSON.stringify({ ...(await read()), description: 'Another.' }));
    await signIt({ now: new Date('2026-07-01T12:00:00Z') });
    assert.equal((await read()).last_updated, '2026-07-01T12:00:00Z');
  });
});
