import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rename, rm, symlink } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { exchange } from '../support/support.ts';
import { CLAIM, PROOF, profileFolder, startStudio } from './studio-support.ts';

const whole = (at: number) => ({
  ...CLAIM,
  claim_id: `clm-${at}`,
  statement: `${CLAIM.statement} Caso ${at}.`,
});

describe('the studio', () => {
  it('saves an edit at once, keeps ids, order and members that it does not know, and takes it back', async t => {
    const { path, read, write } = await profileFolder([CLAIM, whole(2)]);
    const before = { tagline: { own: true }, ...(await read()) };
    before.claims[0].note = 'own';
    await write(before);
    const { done, put } = await startStudio(t, path);
    await put(['claims', 1, 'boundary', 'applicable_for'], 'Solo jubilados de Zaragoza.');
    const after = await read();
    assert.equal(after.claims[1].boundary.applicable_for, 'Solo jubilados de Zaragoza.');
    assert.deepEqual(Object.keys(after), Object.keys(before));
    assert.deepEqual(after.claims[0], before.claims[0]);
    const [, second] = after.claims;
    const { version } = await done('state');
    await done('edit', { version, edits: [{ path: ['claims', 'clm-2'], was: second }] });
    assert.deepEqual((await read()).claims, [before.claims[0]]);
    await put(['claims', 0, 'note'], 'other');
    const back = [
      { path: ['claims', 'clm-2'], value: second, at: 0 },
      { path: ['claims', 'clm-session', 'note'], was: 'other', value: 'own' },
    ];
    await done('edit', { version, edits: back });
    assert.deepEqual((await read()).claims, [second, before.claims[0]]);
  });

  it('says what changed since the last signature, and signs with the key beside the profile', async t => {
    const { path, read } = await profileFolder();
    const { done, put } = await startStudio(t, path);
    await done('sign', { renew: true });
    assert.equal((await done('signing')).signed, true);
    assert.equal((await read()).signatures.length, 1);
    await put(['claims', 0, 'statement'], 'Una sesión individual cuesta 48 euros.');
    const { signed, changes } = await done('signing');
    assert.equal(signed, false);
    assert.deepEqual(changes, [
      {
        part: 'claim clm-session',
        kind: 'changed',
        changes: [
          { path: 'statement', before: CLAIM.statement, after: 'Una sesión individual cuesta 48 euros.' },
        ],
      },
    ]);
  });

  it('shows each warning of the check before the signature, and signs a harmful one only once it was read', async t => {
    const proof = { ...PROOF, client: 'Grupo Valdecuervo', confidentiality: 'confidential' };
    const { path, read, write } = await profileFolder([{ ...CLAIM, proof_ids: ['prf-1'] }]);
    await write({ ...(await read()), proofs: [proof] });
    const { call, done } = await startStudio(t, path);
    const { findings } = await done('signing');
    const harmful = findings.filter((finding: { harmful: boolean }) => finding.harmful);
    assert.deepEqual(
      harmful.map(({ path }: { path: string[] }) => path.join('.')),
      ['proofs.0.client'],
    );
    const refused = await call('sign', { renew: true });
    assert.equal(refused.status, 400);
    assert.match(JSON.parse(await refused.text()).es, /parece nombrar a un cliente/);
    assert.equal((await read()).signatures, undefined);
    await done('sign', { renew: true, seen: ['proofs.0.client'] });
    assert.equal((await read()).signatures.length, 1);
  });

  it('does not sign what has a fault', async t => {
    const { path, read, write } = await profileFolder([
      { claim_id: 'clm-1', statement: 'Abrimos 9 horas.', proof_ids: [] },
    ]);
    const { call, done } = await startStudio(t, path);
    for (const renew of [true, false]) assert.ok((await call('sign', { renew })).status >= 400);
    assert.equal((await read()).signatures, undefined);

    const broken = { ...(await read()), claims: [CLAIM], signatures: [{ protected: '', signature: '' }] };
    await write(broken);
    await done('state');
    assert.ok((await call('sign', { renew: true })).status >= 400);
    assert.deepEqual(await read(), broken);
  });
});

describe('a stranger of the studio', () => {
  it('reads and changes nothing without the token, by another name, or from another site', async t => {
    const { path } = await profileFolder();
    const { origin, authorization, call } = await startStudio(t, path);
    assert.equal((await call('state', {}, { authorization: '' })).status, 403);
    assert.equal((await call('state', {}, { authorization: 'Bearer x' })).status, 403);
    assert.equal((await call('nothing', {}, { authorization: '' })).status, 403);
    assert.equal((await call('state', {}, { origin: 'https://evil.example' })).status, 403);
    const { port } = new URL(origin);
    const raw = (host: string) =>
      exchange(origin, [
        `GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      ]);
    assert.match(await raw(`evil.example:${port}`), /^HTTP\/1\.1 403/);
    assert.match(await raw(`127.0.0.1:${port}`), /^HTTP\/1\.1 200/);
    const { headers } = await fetch(origin);
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; .*require-trusted-types-for/,
    );
  });

  it('cannot end it: `GET //`, broken JSON and members of every object are refused, and it goes on', async t => {
    const { path, read } = await profileFolder();
    const { origin, authorization, call, done } = await startStudio(t, path);
    const before = await read();
    for (const target of ['//', '///x', '/%', '/../../etc/passwd', '/api/constructor', '*'])
      assert.match(
        await exchange(origin, [
          `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
        ]),
        /^HTTP\/1\.1 40\d/,
      );
    for (const edit of [
      { path: ['__proto__', 'x'], value: 1 },
      { path: ['claims', 9, 'statement'], value: 'x' },
      { path: ['claims', 0, 'statement', 'x'], value: 'x' },
      { path: [], value: {} },
      { do: 'set', path: ['claims'] },
      { path: ['claims'], value: [], was: 1, other: 1 },
    ])
      assert.equal((await call('edit', { version: '', edits: [edit] })).status, 400, JSON.stringify(edit));
    assert.equal((await call('question', { query: '¿Y?', relevant: ['clm-of-nobody'] })).status, 400);
    const long = { path: ['x'], value: 'x'.repeat(2e6) };
    assert.equal((await call('edit', { version: '', edits: [long] })).status, 400);
    assert.deepEqual(await read(), before);
    assert.ok((await done('state')).document);
    assert.ok(!('x' in {}));
  });

  it('waits for no pipe in the place of the profile or the questions, and goes on when the file is back', async t => {
    const { path, read } = await profileFolder();
    const { call, done } = await startStudio(t, path);
    const document = await read();
    execFileSync('mkfifo', [path('questions.jsonl')]);
    const question = { query: '¿Cuánto cuesta?', relevant: [CLAIM.claim_id] };
    assert.match(await (await call('question', question)).text(), /is a pipe or a device/);
    await rename(path('brand.json'), path('mine.json'));
    await symlink('/dev/zero', path('brand.json'));
    assert.match(await (await call('state')).text(), /is a pipe or a device/);
    await rename(path('mine.json'), path('brand.json'));
    await rm(path('questions.jsonl'));
    assert.deepEqual((await done('state')).document, document);
  });

  it('lists the first questions that no claim answers as check does: one with the name answers who you are', async t => {
    const who = {
      ...CLAIM,
      claim_id: 'clm-who',
      statement: 'Somos Fisio Ribera, una consulta de fisioterapia.',
    };
    const { path } = await profileFolder([CLAIM, who]);
    const { done } = await startStudio(t, path);
    const open = (await done('basics')).open.map(({ query }: { query: string }) => query);
    assert.deepEqual(open, ['¿Dónde estáis?', '¿Cuándo abrís?', '¿Cómo os contacto?']);
  });
});
