import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/folder.ts';
import { startApp } from '../support/support.ts';

/** The linters are no dependencies of the project: several hundred packages that only this check needs. */
const REDOCLY = '@redocly/cli@2.77.0';
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';

const run = promisify(execFile);

/** The served document as a file in a directory of its own. */
async function saved(t: TestContext): Promise<string> {
  const directory = temporaryFolder();
  const { url } = await startApp(t, { env: { BASE_URL: 'https://norteclaro.example' } });
  writeFileSync(join(directory, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  writeFileSync(join(directory, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  return directory;
}

/** @returns what the package printed on stdout; rejects with all it printed when it fails */
async function npx(cwd: string, ...words: readonly string[]): Promise<string> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    return (await run('npx', ['-y', ...words], { cwd, env: { ...process.env, ...quiet } })).stdout;
  } catch (failure) {
    const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = Object(failure);
    throw new Error(`${words.join(' ')}\n${stdout}${stderr}`);
  }
}

it('Redocly finds no problem under recommended-strict', async t => {
  await npx(await saved(t), REDOCLY, 'lint', '--extends=recommended-strict', 'openapi.json');
});

it('Redocly scores it 95 or more', async t => {
  const report = await npx(await saved(t), REDOCLY, 'score', '--format=json', 'openapi.json');
  const { agentReadiness } = JSON.parse(report);
  t.diagnostic(`agent readiness ${agentReadiness}`);
  assert.ok(agentReadiness >= 95, String(agentReadiness));
});

it('Spectral finds nothing under spectral:oas', async t => {
  await npx(
    await saved(t),
    SPECTRAL,
    'lint',
    '--fail-severity=hint',
    '--ruleset=spectral.yaml',
    'openapi.json',
  );
});
