import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT, startApp } from './support.ts';

/**
 * `npm run check:clients`: the client of the official Python SDK, in a virtual environment of its own, against the
 * real server over HTTP and stdio, once in each revision of the protocol.
 */
const SDK = 'mcp==2.3.0';

const folder = mkdtempSync(join(tmpdir(), 'aval-python-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const PYTHON = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
const STDIO = [process.execPath, '--import', import.meta.resolve('tsx'), `${ROOT}server/cli.ts`, 'stdio'];

const MODES = { legacy: '2025-06-18', auto: '2026-07-28' } as const;

describe('the client of the Python SDK', { timeout: 300_000 }, () => {
  let missing: string | undefined;
  before(async () => {
    missing = await install();
  });

  for (const [mode, version] of Object.entries(MODES)) {
    it(`lists, asks and is refused over HTTP in ${version}`, async t => {
      if (missing) return t.skip(missing);
      const { url } = await startApp(t);
      assertServed(await ask(mode, [`${url}/mcp`]), version);
    });

    it(`does the same over stdio in ${version}`, async t => {
      if (missing) return t.skip(missing);
      assertServed(await ask(mode, STDIO), version);
    });
  }
});

/** @returns why the client cannot run here; nothing when it can */
async function install(): Promise<string | undefined> {
  if ((await run(['python3', '-m', 'venv', folder])).code !== 0) return 'python3 with venv is not installed';
  const { code, output } = await run([PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SDK]);
  return code === 0 ? undefined : `${SDK} could not be installed: ${output.trim().split('\n').at(-1)}`;
}

async function ask(mode: string, target: readonly string[]): Promise<unknown> {
  const { code, output } = await run([PYTHON, `${ROOT}test/python-client/client.py`, mode, ...target]);
  assert.equal(code, 0, output);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

function assertServed(report: unknown, version: string): void {
  assert.deepEqual(report, {
    version,
    server: 'aval',
    tools: ['ask_brand', 'request_diagnostic', 'apply_partner_program'],
    matches: 2,
    same: true,
    refused: 'validation_error',
    unknown: -32602,
  });
}

/** Standard output, or standard error where the command failed. */
function run([command = '', ...args]: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += chunk));
    child.stderr.on('data', chunk => (stderr += chunk));
    child.on('error', error => resolve({ code: null, output: error.message }));
    child.on('close', code => resolve({ code, output: code === 0 ? stdout : stderr }));
  });
}
