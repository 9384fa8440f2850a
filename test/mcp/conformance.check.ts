import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

/**
 * `npm run check:clients`: the protocol's own suite against the real server. What does not apply stands, each with
 * its reason, in test/mcp/conformance/*.yml; an entry that passes, and a failure that has none, fail the check.
 * Releases after 0.1.13 need Node 22, which is fetched into a temporary folder.
 */
const OLD = '@modelcontextprotocol/conformance@0.1.13';
const NODE_22 = `node-${process.platform}-${process.arch}@22`;
const ALIASES = {
  released: 'npm:@modelcontextprotocol/conformance@0.1.16',
  next: 'npm:@modelcontextprotocol/conformance@0.2.0-alpha.12',
};

// No option of the product can add a tool: the app alone finds the fixtures where it looks for its tools.
const WITH_FIXTURES = `export const resolve = (name, context, next) =>
  next(/\\/discovery\\/site\\.ts/.test(context.parentURL) && name.endsWith('/tools/index.ts')
    ? '${new URL('./conformance/tools.ts', import.meta.url).href}'
    : name, context);`;
register(`data:text/javascript,${encodeURIComponent(WITH_FIXTURES)}`);
const { startApp } = await import('../support/support.ts');
const { ROOT } = await import('../support/folder.ts');
const { startProgram } = await import('../support/child.ts');

const folder = temporaryFolder();

describe('the conformance suite of MCP', { timeout: 840_000 }, () => {
  it('passes in the last release that runs on Node 20', async t => {
    await assertConforms(t, ['npx', '-y', OLD], ['--expected-failures', baseline('legacy')]);
  });
});

describe('the conformance suite of MCP, newest releases', { timeout: 840_000 }, () => {
  let missing: string | undefined;
  before(async () => {
    missing = await installNewest();
  });

  it('passes for the handshake', async t => {
    if (missing) return t.skip(missing);
    await assertConforms(t, newest('released'), ['--expected-failures', baseline('legacy')]);
  });

  it('passes for what MCP 2025-06-18 asks for, messages held against its schema', async t => {
    if (missing) return t.skip(missing);
    const options = ['--spec-version', '2025-06-18', '--expected-failures', baseline('legacy')];
    await assertConforms(t, newest('next'), options);
  });

  it('passes for what MCP 2026-07-28 asks for', async t => {
    if (missing) return t.skip(missing);
    const options = ['--requirements', '2026-07-28', '--expected-failures', baseline('modern')];
    await assertConforms(t, newest('next'), options);
  });
});

const baseline = (era: string) => `${ROOT}test/mcp/conformance/${era}.yml`;

const newest = (alias: keyof typeof ALIASES) => [
  join(folder, 'node_modules', NODE_22.split('@')[0] ?? '', 'bin', 'node'),
  join(folder, 'node_modules', alias, 'dist', 'index.js'),
];

/** @returns why the newest releases cannot run here; nothing when they can */
async function installNewest(): Promise<string | undefined> {
  const packages = Object.entries(ALIASES).map(([alias, name]) => `${alias}@${name}`);
  const { code } = await run([
    'npm',
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    NODE_22,
    ...packages,
  ]);
  const [node = '', ...entries] = [...newest('released'), newest('next')[1] ?? ''];
  if (code === 0 && [node, ...entries].every(existsSync)) return undefined;
  return `the newest conformance releases need Node 22, and ${NODE_22} could not be installed`;
}

async function assertConforms(
  t: TestContext,
  suite: readonly string[],
  options: readonly string[],
): Promise<void> {
  const { url } = await startApp(t, { env: { LIMITS: 'default=100000/60' } });
  const { code, output } = await run([...suite, 'server', '--url', `${url}/mcp`, ...options]);
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  assert.equal(code, 0, summary);
}

async function run(command: readonly string[]): Promise<{ code: number | null; output: string }> {
  const { code, stdout, stderr } = await startProgram({ after: () => {} }, command, { cwd: folder }).ended;
  return { code, output: stdout + stderr };
}
