import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { runChild } from '../support/child.ts';
import { exampleBrand } from '../support/example.ts';
import { ROOT } from '../support/folder.ts';

const QUERY = '¿Cuánto cuesta el diagnóstico?';
const ESCAPE = '\u001b';

const aval = (t: TestContext, args: readonly string[], env: Record<string, string> = {}) =>
  runChild(t, ['server/cli.ts', ...args], env);

describe('aval ask', { timeout: 600_000 }, () => {
  it('prints the best claims readably, with boundary, metric and proofs, and no escape codes when piped', async t => {
    const { code, stdout } = await aval(t, ['ask', QUERY]);
    assert.equal(code, 0);
    assert.ok(!stdout.includes(ESCAPE));
    const { matches } = await (await exampleBrand()).ask(QUERY);
    const places = matches.map(({ statement }) => stdout.indexOf(statement));
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? 0)),
      'five statements, best first',
    );
    for (const { claim_id, boundary, proofs, metric } of matches) {
      const parts = [
        claim_id,
        boundary.applicable_for,
        boundary.not_applicable_for,
        ...proofs.map(({ title }) => title),
      ];
      for (const part of [...parts, ...(metric ? [metric.name, String(metric.value)] : [])])
        assert.ok(stdout.includes(part), part);
    }
    assert.doesNotMatch(stdout, /undefined|\[object/);
  });

  it('speaks to a person, in the language of the question, where nothing answers too: 0', async t => {
    const english = await aval(t, ['ask', 'What does the diagnostic cost?']);
    assert.match(english.stdout, /\nDoes not apply to: /);
    const { code, stdout, stderr } = await aval(t, ['ask', '¿Quién ganó el mundial de fútbol de 1930?']);
    assert.match(stdout, /\n\nNo hemos publicado nada sobre eso\.\n$/);
    assert.deepEqual(
      [code, stderr],
      [0, 'aval: profile: the bundled example: BRAND_FILE is not set, and no brand.json is here\n'],
    );
  });
});

describe('aval', { timeout: 600_000 }, () => {
  it('explains itself: --help, the help of a command, --version', async t => {
    const help = await aval(t, ['--help']);
    assert.equal(help.code, 0);
    assert.doesNotMatch(help.stdout, /consultancy/);
    for (const command of ['serve', 'stdio', 'ask', 'sign', 'outbox'])
      assert.match(help.stdout, new RegExp(`^  ${command}\\b`, 'm'));
    const ask = await aval(t, ['ask', '--help']);
    assert.match(ask.stdout, /--json[\s\S]*--help|--help[\s\S]*--json/);
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    assert.equal((await aval(t, ['--version'])).stdout, `${version}\n`);
  });

  it('fails on an unknown command or option, and says where to look', async t => {
    for (const args of [['nope'], ['ask', '--nope', 'x'], ['ask']]) {
      const { code, stdout, stderr } = await aval(t, args);
      assert.ok(code !== 0 && stdout === '', args.join(' '));
      assert.match(stderr, /^error: .*\n[\s\S]*--help/);
    }
  });

  it('names what is missing and the next step', async t => {
    const missing = /^error: missing required argument 'file'\n\(--help says what it takes\)\n$/;
    for (const [args, said] of [
      [['csv', 'import'], missing],
      [['check', 'nope.json'], /^aval: there is no file nope\.json: name yours, or make one with .* init\n$/],
      [
        ['sign', 'examples/brand.json', '--key', 'nope.key.json'],
        /no file nope\.key\.json: name yours, .* sign --new-key nope\.key\.json\n$/,
      ],
      [
        ['csv', 'export', 'nope/claims.csv', '--brand', 'examples/brand.json'],
        /^aval: there is no folder nope: make it first\n$/,
      ],
      [['check', 'examples'], /^aval: a folder was named where a file is read/],
    ] satisfies [string[], RegExp][]) {
      const { code, stderr } = await aval(t, args);
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
  });
});
