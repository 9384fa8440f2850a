import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { program } from '../../server/cli/commands.ts';
import { nodeArguments, startNode } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';

/** A folder with a profile of its own, and a profile elsewhere. Both are copies of the example under another name, so not validly signed. */
const folder = temporaryFolder();
const empty = temporaryFolder();

const example = readFileSync(`${ROOT}examples/brand.json`, 'utf8');
const { signatures: _, ...unsigned } = JSON.parse(example);
const named = (name: string) => JSON.stringify({ ...unsigned, names: [{ en: name }], name });
const other = join(empty, 'other.json');
writeFileSync(other, named('Elsewhere'));
writeFileSync(join(folder, 'brand.json'), named('Own House'));
writeFileSync(join(folder, 'answer.json'), '{"brand":"Own House","query":"x","matches":[]}');
writeFileSync(join(folder, 'asked.csv'), 'query,claim ids\nprecio,\n');
copyFileSync(`${ROOT}examples/brand.jwks.json`, join(folder, 'brand.jwks.json'));
copyFileSync(`${ROOT}examples/claims.csv`, join(folder, 'claims.csv'));

const OWN = /profile: brand\.json of this folder, not BRAND_FILE/;
const SET = /profile: \S*other\.json, which BRAND_FILE names/;

/** Every command, with arguments that name no profile, and whose profile it takes where the folder and BRAND_FILE differ. */
const COMMANDS: Readonly<
  Record<string, readonly [args: string, says: RegExp] | 'has no profile' | 'makes one'>
> = {
  serve: ['', SET],
  stdio: ['', SET],
  ask: ['precio', OWN],
  init: 'makes one',
  'csv import': ['claims.csv', OWN],
  'csv export': ['out.csv', OWN],
  check: ['', OWN],
  eval: ['--questions asked.csv', OWN],
  asked: 'has no profile',
  sign: ['--key none.key.json', OWN],
  verify: ['', OWN],
  doctor: ['--profile', SET],
  outbox: 'has no profile',
};

/** What a command says of its profile; it is ended then. */
async function said(
  t: TestContext,
  words: string,
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const [command = '', ...args] = words.split(' ').filter(Boolean);
  const child = startNode(t, nodeArguments('server/cli.ts', command, ...args), {
    cwd,
    env: { PORT: '0', ...env },
  });
  const text = await child.until(
    'stderr',
    /(?:profile: .*|no brand\.json is here.*|The configuration cannot .*\n.*)\n/,
  );
  child.process.kill('SIGKILL');
  await child.ended;
  return text;
}

describe('the profile of a command that names none', { timeout: 600_000 }, () => {
  it('is one default for all commands, and each says which', async t => {
    assert.deepEqual(
      program.commands.map(command => command.name()).toSorted(),
      [...new Set(Object.keys(COMMANDS).map(words => words.split(' ')[0]))].toSorted(),
    );
    for (const [command, expected] of Object.entries(COMMANDS)) {
      if (typeof expected === 'string') continue;
      const [args, says] = expected;
      assert.match(await said(t, `${command} ${args}`, folder, { BRAND_FILE: other }), says, command);
    }
  });

  it('is BRAND_FILE alone for a server in production', async t => {
    const production = {
      NODE_ENV: 'production',
      SMTP_URL: 'smtps://mail.acme.example',
      MAIL_FROM: 'a@b.example',
      MAIL_TO: 'a@b.example',
    };
    const open = { ...production, BASE_URL: 'https://acme.example' };
    assert.match(await said(t, 'serve', folder, open), /BRAND_FILE: production needs your own profile/);
    const local = await said(t, 'doctor --profile', folder, {
      ...production,
      BASE_URL: 'http://127.0.0.1:8787',
    });
    assert.match(local, /the bundled example: BRAND_FILE is not set/);
  });
});
