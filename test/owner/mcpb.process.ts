import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { bundle } from '../../mcpb/bundle.ts';
import { callTool } from '../mcp/mcp-messages.ts';
import { startNode } from '../support/child.ts';
import { temporaryFolder } from '../support/folder.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { ROOT } from '../support/support.ts';

const folder = temporaryFolder();
const unpacked = join(folder, 'unpacked');

describe('the bundle for hosts of extensions, unpacked and started as they start it', {
  timeout: 300_000,
}, () => {
  before(async () => {
    const file = join(folder, 'aval.mcpb');
    await bundle(file);
    assert.ok(await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true }));
  });

  for (const [fields, brand_jwks] of [
    ['the profile alone', undefined],
    ['the profile and its key set', `${ROOT}examples/brand.jwks.json`],
  ] as const) {
    it(`answers where a person chose ${fields}, and takes a submission as a dry run`, async t => {
      const messages = [
        { ...callTool('ask_brand', { query: '¿Cuánto cuesta el diagnóstico?' }), id: 0 },
        { ...callTool('request_diagnostic', DIAGNOSTIC), id: 1 },
      ];
      const [asked, sent] = await converse(t, messages, { ...(brand_jwks && { brand_jwks }) });
      assert.equal(asked.result.structuredContent.brand, 'Norte Claro');
      assert.equal(asked.result.structuredContent.matches[0].claim_id, 'clm-diagnostic-price');
      assert.equal(sent.result.structuredContent.mode, 'dry-run');
    });
  }
});

/** Starts the server as a host makes its command of the manifest, with no other environment. @returns its answers by id */
async function converse(
  t: TestContext,
  messages: readonly object[],
  chosen: Readonly<Record<string, string>>,
) {
  const config = await getMcpConfigForManifest({
    manifest: JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')),
    extensionPath: unpacked,
    systemDirs: { HOME: temporaryFolder() },
    userConfig: { brand_file: `${ROOT}examples/brand.json`, ...chosen },
    pathSeparator: '/',
  });
  const child = startNode(t, config?.args ?? [], { cwd: folder, env: { ...config?.env } });
  child.process.stdin.end(messages.map(message => `${JSON.stringify(message)}\n`).join(''));
  const { code, stdout, stderr } = await child.ended;
  assert.equal(code, 0, stderr);
  const answers = stdout.split('\n').filter(Boolean);
  return answers.map(line => JSON.parse(line)).sort((a, b) => a.id - b.id);
}
