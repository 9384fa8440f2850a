import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { verifyProfile } from '../../brand/trust/verify-profile.ts';
import type { Output } from '../../owner/output.ts';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { init } from '../../server/cli/init.ts';
import { verify } from '../../server/cli/verify.ts';
import { run } from '../cli/command.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, ES256_KEY, keySet, NOW, PROFILE, signedBytes } from '../trust/signed-profile.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('aval check', () => {
  const now = NOW;

  it('answers 0 for a good profile and says nothing on standard output', async () => {
    const path = folderWith({ 'brand.json': await signedBytes() });
    const { code, stdout, stderr } = await run(output => check(path('brand.json'), { now }, output));
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    assert.match(stderr, /2 claims, 2 proofs, 0 faults, 0 warnings\n/);
    assert.match(stderr, /The signature was not looked at: there is no .*brand\.jwks\.json/);
  });

  it('answers 1 and names every fault with its path and its fix', async () => {
    const broken = {
      ...PROFILE,
      claims: PROFILE.claims.map(claim => ({ ...claim, proof_ids: ['prf-none'] })),
    };
    const path = folderWith({ 'brand.json': bytesOf(broken) });
    const { code, stdout } = await run(output => check(path('brand.json'), { now }, output));
    assert.equal(code, 1);
    for (const id of ['clm-margin', 'clm-price'])
      assert.ok(
        stdout.includes(
          `brand.json:1: fault: ${id}, proof_ids[0]: no such proof (add a proof with the id "prf-none", or`,
        ),
      );
  });

  it('shows what would steer a terminal as its escape, as every command does', async () => {
    const [first, ...others] = PROFILE.claims;
    const steering = {
      ...PROFILE,
      claims: [{ ...first, claim_id: 'id\u001b[31m\u009b\u202e', proof_ids: ['-'] }, ...others],
    };
    const path = folderWith({ 'brand.json': bytesOf(steering) });
    const checked = await run(output => check(path('brand.json'), { now }, output));
    assert.match(checked.stdout, /id\\u001b\[31m\\u009b\\u202e/);
    assert.doesNotMatch(checked.stdout, /(?!\n)\p{Cc}|\u202e/u);
  });

  it('answers 0 where it only warns, with what to do, and 1 with --strict', async () => {
    const path = folderWith({ 'brand.json': bytesOf({ ...PROFILE, questions: [] }) });
    const { code, stdout } = await run(output => check(path('brand.json'), { now, json: true }, output));
    const { ok, warnings } = JSON.parse(stdout);
    assert.deepEqual([code, ok], [0, true]);
    assert.deepEqual(warnings.map(({ path }: { path: string }) => path).sort(), ['questions', 'signatures']);
    assert.ok(warnings.every((warning: { fix?: string }) => warning.fix));
    assert.equal((await run(output => check(path('brand.json'), { now, strict: true }, output))).code, 1);
  });

  it('warns of a signature that the text has left behind, with the keys beside the file', async () => {
    const signed = new TextDecoder().decode(await signedBytes());
    const path = folderWith({
      'brand.json': new TextEncoder().encode(signed.replace('We raise', 'We lift')),
      'brand.jwks.json': await keySet(ES256_KEY),
    });
    const { code, stdout } = await run(output => check(path('brand.json'), { now }, output));
    assert.equal(code, 0);
    assert.match(
      stdout,
      /warning: signatures: the signature is void: the document was changed after it was signed \(.* sign /,
    );
    await writeFile(path('brand.json'), signed);
    assert.equal((await run(output => check(path('brand.json'), { now }, output))).stdout, '');
  });
});

describe('aval verify', () => {
  it('reads no pipe and no device, which may never end; nor do check and sign', async () => {
    const path = folderWith({});
    execFileSync('mkfifo', [path('brand.json')]);
    for (const target of [path('brand.json'), '/dev/zero']) {
      const refused = { message: `${target} is a pipe or a device, not a file` };
      for (const command of [
        (output: Output) => verify(target, { now: NOW }, output),
        (output: Output) => verify(target, { brand: 'examples/brand.json' }, output),
        (output: Output) => check(target, { now: NOW }, output),
        (output: Output) => sign(target, { now: NOW }, output),
      ])
        await assert.rejects(run(command), refused);
    }
  });
});

describe('aval verify of an answer', () => {
  it('says yes where it stands in the profile, else no with the path of the first difference', async () => {
    const path = folderWith({
      'brand.json': await signedBytes(),
      'brand.jwks.json': await keySet(ES256_KEY),
    });
    const { proof_ids: _, ...claim } = PROFILE.claims[1]!;
    const judge = async (changes: object) => {
      const matches = [{ ...claim, similarity: 0.7, proofs: [], ...changes }];
      await writeFile(path('answer.json'), bytesOf({ brand: 'The Brand', query: 'free?', matches }));
      const options = { brand: path('brand.json'), host: 'brand.example', now: NOW };
      const { code, stdout } = await run(output => verify(path('answer.json'), options, output));
      return [code, stdout];
    };
    assert.deepEqual(await judge({}), [
      0,
      `verified: 1 match stands verbatim in the profile of The Brand, signed by ${ES256_KEY.kid}\n` +
        'not signed, so not checked: query, similarity\n',
    ]);
    const boundary = { applicable_for: 'Everybody.', not_applicable_for: 'Private persons.' };
    assert.deepEqual(await judge({ boundary }), [
      1,
      'refused: matches[0].boundary.applicable_for: differs from the profile\n',
    ]);
  });
});

describe('aval init', () => {
  const flags = { name: 'Ñandú & Co.', url: 'https://nandu.example', now: NOW };
  const warningsOf = async (file: string) => {
    const { code, stdout } = await run(output => check(file, { now: NOW, json: true }, output));
    assert.equal(code, 0);
    const { warnings } = JSON.parse(stdout) as { warnings: { code: string; path: string }[] };
    return warnings.map(warning => `${warning.code} ${warning.path}`);
  };

  it('writes a signed profile with two examples, its keys and its settings', async () => {
    const path = folderWith();
    const { code, stdout } = await run(output => init({ ...flags, directory: path('new') }, output));
    const names = [
      'brand.json',
      'brand.jwks.json',
      'brand.key.json',
      '.env',
      'schemas/brand-profile.v1.json',
    ];
    const files = names.map(file => path(join('new', file)));
    assert.deepEqual([code, stdout], [0, `${files.join('\n')}\n`]);
    const [profile = '', jwks = '', key = '', settings = ''] = files;
    const verdict = await verifyProfile(await readFile(profile), {
      jwks: await readFile(jwks),
      host: 'nandu.example',
      now: NOW,
    });
    assert.equal(verdict.verified, true);
    assert.equal(verdict.loaded?.profile.id, 'nandu_co');
    assert.equal(verdict.loaded?.profile.expires_at, '2027-06-01T12:00:00Z');
    assert.deepEqual([await modeOf(key), await modeOf(settings)], [0o600, 0o600]);
    assert.match(
      await readFile(settings, 'utf8'),
      /^BRAND_FILE=brand\.json\nBRAND_JWKS=brand\.jwks\.json\nBASE_URL=https:\/\/nandu\.example$/m,
    );
  });

  it('offers both actions where nobody says otherwise, and prints what the profile promises', async () => {
    const path = folderWith();
    const promises = async (directory: string, actions?: 'contact' | 'none') => {
      const options = { ...flags, directory: path(directory), ...(actions !== undefined && { actions }) };
      return (await run(output => init(options, output))).stderr;
    };
    assert.match(
      await promises('both'),
      /^In the name of Ñandú & Co\. the profile offers request_diagnostic and apply_partner_program, with a reply within 48 hours/,
    );
    const { actions } = JSON.parse(await readFile(path('both/brand.json'), 'utf8'));
    assert.deepEqual(Object.keys(actions), ['request_diagnostic', 'apply_partner_program']);
    assert.match(await promises('contact', 'contact'), /offers request_diagnostic, with a reply/);
    assert.match(await promises('none', 'none'), /^The profile offers no form/);
  });

  it('marks its examples, so that check names them and nothing else, and then what is left of them', async () => {
    const path = folderWith();
    const file = path('new/brand.json');
    await run(output => init({ ...flags, directory: path('new') }, output));
    assert.deepEqual(await warningsOf(file), [
      'example description',
      'example claims[0]',
      'example claims[1]',
      'example questions',
      'example proofs[0]',
    ]);
    const profile = JSON.parse(await readFile(file, 'utf8'));
    const words = { statement: 'Ours.', boundary: { applicable_for: 'All.', not_applicable_for: 'None.' } };
    for (const claim of profile.claims) Object.assign(claim, words);
    Object.assign(profile.proofs[0], { title: 'Ours', summary: 'Ours.', verifiable_by: 'Ask us.' });
    await writeFile(file, JSON.stringify({ ...profile, description: 'Ours.' }));
    const left = (await warningsOf(file)).filter(warning => warning.startsWith('example'));
    assert.deepEqual(left, ['example claims[0]', 'example questions', 'example proofs[0]']);
  });

  it('writes nothing for a bad address or over files that are there', async () => {
    const path = folderWith({ '.env': bytesOf('mine') });
    const options = { ...flags, directory: path('.') };
    await assert.rejects(
      run(output => init(options, output)),
      /\.env: there already; move it away/,
    );
    for (const [wrong, says] of [
      [{ url: 'acme' }, /^--url: that is no web address/],
      [{ language: 'castellano' }, /^language: must be a language tag, like es or en-GB/],
    ] as const) {
      await assert.rejects(
        run(output => init({ ...flags, directory: path('new'), ...wrong }, output)),
        error => error instanceof Error && says.test(error.message),
      );
    }
    await assert.rejects(readFile(path('brand.json')), /ENOENT/);
  });
});
