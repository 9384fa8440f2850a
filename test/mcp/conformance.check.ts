import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { startProgram } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { startApp } from '../support/support.ts';

/**
 * `npm run check:clients`: the protocol's own suite against the real server. What does not apply stands, each with
 * its reason, in test/mcp/conformance/*.yml; an entry that passes, and a failure that has none, fail the check.
 * Releases after 0.1.13 need Node 22, which is fetched into a temporary folder.
 */
const OLD = '@modelcontextprotocol/conformance@0.1.13';
const NEWEST = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const NODE_22 = `node-${process.platform}-${process.arch}`;

const folder = temporaryFolder();
const inFolder = (...path: string[]) => join(folder, 'node_modules', ...path);
const newest = [
  inFolder(NODE_22, 'bin', 'node'),
  inFolder('@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
];

describe('the conformance suite of MCP', { timeout: 840_000 }, () => {
  let missing: string | undefined;
  before(async () => {
    const packages = [`${NODE_22}@22`, NEWEST];
    await run(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
    if (!newest.every(existsSync)) missing = `${packages.join(' and ')} could not be installed`;
  });

  it('passes in the last release that runs on Node 20', t =>
    assertConforms(t, ['npx', '-y', OLD], ['--expected-failures', baseline('legacy')]));

  it('passes for what MCP 2025-06-18 asks for, messages compared with its schema', async t => {
    if (missing) return t.skip(missing);
    const options = ['--spec-version', '2025-06-18', '--expected-failures', baseline('legacy')];
    await assertConforms(t, newest, options);
  });

  it('passes for what MCP 2026-07-28 asks for', async t => {
    if (missing) return t.skip(missing);
    const options = ['--requirements', '2026-07-28', '--expected-failures', baseline('modern')];
    await assertConforms(t, newest, options);
  });
});

const baseline = (era: string) => `${ROOT}test/mcp/conformance/${era}.yml`;

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
