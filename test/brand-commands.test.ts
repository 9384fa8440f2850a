import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { before, describe, it } from 'node:test';
import type { Embedder } from '../brand/embedding/embedder.ts';
import { ProfileError, readProfile } from '../brand/profile/profile.ts';
import { readKeySet } from '../brand/trust/keys.ts';
import { verifyProfile } from '../brand/trust/verify-profile.ts';
import { check } from '../server/cli/profile/check.ts';
import { init } from '../server/cli/profile/init.ts';
import { keygen } from '../server/cli/profile/keygen.ts';
import { sign } from '../server/cli/profile/sign.ts';
import { verify } from '../server/cli/profile/verify.ts';
import { verifyAnswerCommand } from '../server/cli/profile/verify-answer.ts';
import { bytesOf, ES256_KEY, keySet, NOW, PROFILE, signedBytes } from './signed-profile.ts';

/** Runs a command and returns what it wrote and answered. */
async function run(command: (output: { stdout: Sink; stderr: Sink }) => Promise<number>) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const code = await command({ stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Sink {
  text = '';
  write(text: string): void {
    this.text += text;
  }
}

async function folder(files: Readonly<Record<string, Uint8Array>> = {}): Promise<(name: string) => string> {
  const directory = await mkdtemp(join(tmpdir(), 'brand-commands-'));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes);
  return name => join(directory, name);
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('aval check', () => {
  const now = NOW;

  it('answers 0 for a good profile and says nothing on standard output', async () => {
    const path = await folder({ 'brand.json': await signedBytes() });
    const { code, stdout, stderr } = await run(output => check(path('brand.json'), { now }, output));
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    assert.match(stderr, /2 claims, 2 proofs, 0 faults, 0 warnings\n$/);
  });

  it('answers 1 and names every fault with its path and its fix', async () => {
    const broken = { ...PROFILE, claims: PROFILE.claims.map(claim => ({ ...claim, proof_ids: ['prf-none'] })) };
    const path = await folder({ 'brand.json': bytesOf(broken) });
    const { code, stdout } = await run(output => check(path('brand.json'), { now }, output));
    assert.equal(code, 1);
    assert.equal(
      stdout,
      [0, 1]
        .map(
          at =>
            `fault  claims[${at}].proof_ids[0]: no such proof (add a proof with the id "prf-none", or remove the link)\n`,
        )
        .join(''),
    );
  });

  it('answers 1 for a profile that has expired', async () => {
    const path = await folder({ 'brand.json': await signedBytes() });
    const late = new Date('2027-01-01T00:00:00Z');
    const { code, stdout } = await run(output => check(path('brand.json'), { now: late }, output));
    assert.equal(code, 1);
    assert.match(stdout, /^fault {2}expires_at: the profile expired at 2027-01-01/);
  });

  it('warns of what is allowed and seldom meant, and answers 0', async () => {
    const claims = [
      {
        ...PROFILE.claims[0]!,
        claim_id: 'example-1',
        boundary: { applicable_for: 'n/a', not_applicable_for: 'Traders of raw materials.' },
      },
      {
        ...PROFILE.claims[1]!,
        boundary: { applicable_for: 'All companies there are.', not_applicable_for: 'All companies there are.' },
      },
    ];
    const proofs = [...PROFILE.proofs, { ...PROFILE.proofs[0]!, proof_id: 'prf-unused' }];
    const path = await folder({ 'brand.json': bytesOf({ ...PROFILE, claims, proofs }) });
    const soon = new Date('2026-11-02T00:00:01Z');
    const { code, stdout } = await run(output => check(path('brand.json'), { now: soon, json: true }, output));
    const report = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.equal(report.ok, true);
    assert.deepEqual(
      report.warnings.map((warning: { path: string; message: string }) => `${warning.path}: ${warning.message}`),
      [
        'claims[0].boundary.applicable_for: too short to tell anything: the half is missing',
        'claims[1].boundary.not_applicable_for: says the same as applicable_for',
        'claims[0]: an example that aval init wrote',
        'proofs[2]: no claim names it, so no answer shows it',
        'expires_at: expires in 59 days',
        'signatures: the profile is not signed',
      ],
    );
  });

  it('warns of claims that say nearly the same, by the embedder given', async () => {
    const embedder: Embedder = {
      id: 'first-letter',
      dims: 2,
      embed: async texts => texts.map(text => Float32Array.from(text.startsWith('We') ? [1, 0] : [0, 1])),
    };
    const [first, second] = PROFILE.claims;
    const claims = [first, second, { ...first, claim_id: 'clm-again', statement: 'We raise margins by 3.4 points.' }];
    const path = await folder({ 'brand.json': await signedBytes({ ...PROFILE, claims }) });
    const { code, stdout } = await run(output => check(path('brand.json'), { now, embedder }, output));
    assert.equal(code, 0);
    assert.equal(
      stdout,
      'warning  claims[2].statement: says nearly the same as claims[0] (merge the two, or say what sets them apart)\n',
    );
  });

  it('reports a file that is no profile as JSON too', async () => {
    const path = await folder({ 'brand.json': new TextEncoder().encode('{"a":1,"a":2}') });
    const { code, stdout } = await run(output => check(path('brand.json'), { json: true }, output));
    const { ok, faults } = JSON.parse(stdout);
    assert.deepEqual({ code, ok }, { code: 1, ok: false });
    assert.deepEqual(faults, [{ path: 'a', message: 'the same name twice in one object', fix: 'keep one of the two' }]);
  });
});

describe('aval keygen and aval sign', () => {
  it('make a key for its owner alone, and a signature that verifies', async () => {
    const path = await folder({ 'brand.json': bytesOf(PROFILE) });
    const files = { key: path('brand.key.json'), jwks: path('brand.jwks.json') };
    const made = await run(output => keygen(files, output));
    assert.equal(made.code, 0);
    assert.equal(await modeOf(files.key), 0o600);
    const signed = await run(output => sign(path('brand.json'), { keys: [files.key], now: NOW }, output));
    assert.equal(signed.stdout, made.stdout);
    const verified = await run(output => verify(path('brand.json'), { now: NOW, host: 'brand.example' }, output));
    assert.deepEqual(
      { code: verified.code, stdout: verified.stdout },
      { code: 0, stdout: `verified: The Brand (https://brand.example) until 2027-01-01T00:00:00Z, key ${made.stdout}` },
    );
    assert.match(verified.stderr, /not that its claims are true/);
  });

  it('rotate keys: both are published, both sign, then the new one alone', async () => {
    const path = await folder({ 'brand.json': bytesOf(PROFILE) });
    const [oldKey, newKey, jwks] = [path('old.json'), path('new.json'), path('jwks.json')];
    await run(output => keygen({ key: oldKey, jwks }, output));
    await run(output => keygen({ key: newKey, jwks, alg: 'EdDSA' }, output));
    const published = await readFile(jwks);
    assert.equal((await readKeySet(published)).length, 2);
    for (const keys of [[oldKey, newKey], [newKey]]) {
      const { stdout } = await run(output => sign(path('brand.json'), { keys, now: NOW }, output));
      const { kids } = await verifyProfile(await readFile(path('brand.json')), { jwks: published, now: NOW });
      assert.equal(`${kids.join('\n')}\n`, stdout);
      assert.equal(kids.length, keys.length);
    }
  });

  it('leave a private key alone that is there, unless forced', async () => {
    const path = await folder();
    const files = { key: path('key.json'), jwks: path('jwks.json') };
    await run(output => keygen(files, output));
    const key = await readFile(files.key, 'utf8');
    await assert.rejects(
      run(output => keygen(files, output)),
      /key\.json is there already; --force replaces it/,
    );
    assert.equal(await readFile(files.key, 'utf8'), key);
    await run(output => keygen({ ...files, force: true }, output));
    assert.notEqual(await readFile(files.key, 'utf8'), key);
  });

  it('sign nothing that could not be served, and then change nothing', async () => {
    const broken = bytesOf({ ...PROFILE, proofs: [] });
    const path = await folder({ 'brand.json': broken, 'key.json': bytesOf(ES256_KEY.jwk) });
    await assert.rejects(
      run(output => sign(path('brand.json'), { keys: [path('key.json')] }, output)),
      ProfileError,
    );
    assert.deepEqual(await readFile(path('brand.json')), Buffer.from(broken));
  });

  it('keep the mode of the profile, follow a link to it, and warn of a key that others can read', async () => {
    const path = await folder({ 'real.json': bytesOf(PROFILE), 'key.json': bytesOf(ES256_KEY.jwk) });
    await chmod(path('real.json'), 0o640);
    await chmod(path('key.json'), 0o644);
    await symlink(path('real.json'), path('brand.json'));
    const { stderr } = await run(output => sign(path('brand.json'), { keys: [path('key.json')], now: NOW }, output));
    assert.match(stderr, /others can read .*key\.json/);
    assert.equal(await modeOf(path('real.json')), 0o640);
    assert.equal(readProfile(await readFile(path('real.json'))).signed, true);
  });

  it('leave every text as it was', async () => {
    const path = await folder({
      'brand.json': await readFile('examples/brand.json'),
      'key.json': bytesOf(ES256_KEY.jwk),
    });
    await run(output => sign(path('brand.json'), { keys: [path('key.json')] }, output));
    const { signatures: _, ...after } = JSON.parse(await readFile(path('brand.json'), 'utf8'));
    const { signatures: __, ...before } = JSON.parse(await readFile('examples/brand.json', 'utf8'));
    assert.deepEqual(after, before);
  });
});

describe('aval verify', () => {
  it('answers 1 and says why', async () => {
    const path = await folder({ 'brand.json': bytesOf(PROFILE), 'brand.jwks.json': await keySet(ES256_KEY) });
    const { code, stdout } = await run(output =>
      verify(path('brand.json'), { now: NOW, host: 'other.example' }, output),
    );
    assert.equal(code, 1);
    assert.equal(
      stdout,
      'refused: signatures: the profile is not signed\nrefused: url: the profile speaks for brand.example, not for other.example\n',
    );
  });

  it('verifies the example with the keys beside it', async () => {
    const { code, stdout, stderr } = await run(output =>
      verify('examples/brand.json', { json: true, now: NOW_OF_EXAMPLE }, output),
    );
    const verdict = JSON.parse(stdout);
    assert.deepEqual(
      { code, stderr, verified: verdict.verified, brand: verdict.brand },
      { code: 0, stderr: '', verified: true, brand: 'Norte Claro' },
    );
    assert.deepEqual(verdict.notes, ['the host was not checked: the profile speaks for norteclaro.example']);
  });

  it('says which file of keys is missing', async () => {
    const path = await folder({ 'brand.json': await signedBytes() });
    await assert.rejects(
      run(output => verify(path('brand.json'), {}, output)),
      /brand\.jwks\.json is missing: name the public keys with --jwks/,
    );
  });
});

const NOW_OF_EXAMPLE = new Date('2027-01-01T00:00:00Z');

describe('aval verify-answer', () => {
  const answer = (changes: object = {}) => {
    const { proof_ids: _, ...claim } = PROFILE.claims[1]!;
    return bytesOf({
      brand: 'The Brand',
      query: 'free?',
      matches: [{ ...claim, similarity: 0.7, proofs: [], ...changes }],
    });
  };
  let path: Awaited<ReturnType<typeof folder>>;
  before(async () => {
    path = await folder({ 'brand.json': await signedBytes(), 'brand.jwks.json': await keySet(ES256_KEY) });
  });
  const judge = async (bytes: Uint8Array, changes: object = {}) => {
    await writeFile(path('answer.json'), bytes);
    const options = { brand: path('brand.json'), host: 'brand.example', now: NOW, ...changes };
    return run(output => verifyAnswerCommand(path('answer.json'), options, output));
  };

  it('says yes to an answer that stands in the profile', async () => {
    const { code, stdout } = await judge(answer());
    assert.deepEqual(
      { code, stdout },
      {
        code: 0,
        stdout: `verified: 1 matches stand verbatim in the profile of The Brand, signed by ${ES256_KEY.kid}\n`,
      },
    );
  });

  it('says no with the path of the first difference', async () => {
    const boundary = { applicable_for: 'Everybody.', not_applicable_for: 'Private persons.' };
    const { code, stdout } = await judge(answer({ boundary }));
    assert.deepEqual(
      { code, stdout },
      { code: 1, stdout: 'refused: matches[0].boundary.applicable_for: differs from the profile\n' },
    );
  });

  it('says no when the profile itself is not to be trusted, however right the answer', async () => {
    const { code, stdout } = await judge(answer(), { now: new Date('2028-01-01T00:00:00Z') });
    assert.equal(code, 1);
    assert.match(stdout, /^refused: expires_at: the profile expired/);
  });

  it('says no to an error body, as JSON where asked', async () => {
    const { code, stdout } = await judge(bytesOf({ ok: false, error: 'no' }), { json: true });
    const { verified, difference } = JSON.parse(stdout);
    assert.deepEqual(
      { code, verified, difference },
      {
        code: 1,
        verified: false,
        difference: { path: '', message: 'neither an /ask answer nor a result of ask_brand' },
      },
    );
  });

  it('needs a profile for an answer in a file', async () => {
    await assert.rejects(
      run(output => verifyAnswerCommand('answer.json', {}, output)),
      /name it with --brand/,
    );
  });
});

describe('aval init', () => {
  /** A terminal at which somebody types these lines, or none. */
  const terminal = (output: { stdout: Sink; stderr: Sink }, typed?: readonly string[]) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
    stdin.end(`${(typed ?? []).join('\n')}\n`);
    return { ...output, stdin };
  };
  const flags = { name: 'Ñandú & Co.', url: 'https://nandu.example', now: NOW };

  it('writes a signed profile with two examples, its keys and its settings', async () => {
    const path = await folder();
    const { code, stdout } = await run(output => init({ ...flags, directory: path('new') }, terminal(output)));
    const files = ['brand.json', 'brand.jwks.json', 'brand.key.json', '.env'].map(file => path(join('new', file)));
    assert.equal(code, 0);
    assert.equal(stdout, `${files.join('\n')}\n`);
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

  it('marks the examples, and check tells them from claims of your own', async () => {
    for (const language of ['es', 'en']) {
      const path = await folder();
      await run(output => init({ ...flags, language, directory: path('.') }, terminal(output)));
      const { code, stdout } = await run(output => check(path('brand.json'), { now: NOW }, output));
      assert.equal(code, 0);
      assert.match(stdout, /^warning {2}claims\[0\]: an example .*\nwarning {2}claims\[1\]: an example .*\n$/);
      const { claims } = readProfile(await readFile(path('brand.json'))).profile;
      for (const { statement } of claims) assert.match(statement, /^(EJEMPLO|EXAMPLE): /);
    }
  });

  it('asks for what no option says', async () => {
    const path = await folder();
    const typed = ['Acme', 'https://acme.example', ''];
    const { stderr } = await run(output => init({ directory: path('.'), now: NOW }, terminal(output, typed)));
    const { names, language } = readProfile(await readFile(path('brand.json'))).profile;
    assert.deepEqual({ names, language }, { names: [{ es: 'Acme' }], language: 'es' });
    assert.match(
      stderr,
      /^Name of the brand: Its web address, like https:\/\/acme\.example: Language of the profile \[es\]: /,
    );
  });

  it('asks nothing where nobody sits, and ends when the input ends', async () => {
    const path = await folder();
    await assert.rejects(
      run(output => init({ directory: path('.') }, terminal(output))),
      /--name is missing/,
    );
    await assert.rejects(
      run(output => init({ directory: path('.') }, terminal(output, ['Acme']))),
      /--url is missing/,
    );
  });

  it('writes nothing for a bad address or over files that are there, unless forced', async () => {
    const path = await folder({ '.env': bytesOf('mine') });
    const options = { ...flags, directory: path('.') };
    await assert.rejects(
      run(output => init(options, terminal(output))),
      /\.env: there already; --force replaces it/,
    );
    await assert.rejects(
      run(output => init({ ...options, url: 'acme', force: true }, terminal(output))),
      ProfileError,
    );
    await assert.rejects(readFile(path('brand.json')), /ENOENT/);
    await run(output => init({ ...options, force: true }, terminal(output)));
    assert.equal(await modeOf(path('.env')), 0o600);
  });
});
