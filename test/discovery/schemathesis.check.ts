import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startProgram } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { startApp } from '../support/support.ts';

const SCHEMATHESIS = 'schemathesis==4.32.5';

/** Every check is on. The one exception: JSON-RPC reports bad params in an answer with HTTP 200, by its own rules. */
const CONFIG = `
hooks = ${JSON.stringify(`${ROOT}test/discovery/schemathesis_hooks.py`)}

[[operations]]
include-path = "/mcp"
include-method = "POST"
checks.negative_data_rejection.enabled = false

[[operations]]
include-path = "/a2a"
checks.negative_data_rejection.enabled = false
`;

const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;

it('schemathesis, a tool that nobody here wrote, finds no fault', {
  skip: hasPython ? false : 'python3 with venv is not installed',
}, async t => {
  const directory = temporaryFolder();
  const run = async (...command: readonly string[]) => {
    const { code, stdout, stderr } = await startProgram(t, command, { cwd: tmpdir() }).ended;
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  await run('python3', '-m', 'venv', directory);
  await run(join(directory, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS);
  writeFileSync(join(directory, 'schemathesis.toml'), CONFIG);
  const { url } = await startApp(t, {
    env: {
      LIMITS: 'default=9999999/1,submissions=9999999/1,actions=9999999/1,actions-service=9999999/1',
    },
  });
  const options = ['--max-examples=200', '--continue-on-failure', '--no-color'];
  const config = `--config-file=${join(directory, 'schemathesis.toml')}`;
  const report = await run(
    join(directory, 'bin/schemathesis'),
    config,
    'run',
    `${url}/openapi.json`,
    ...options,
  );
  t.diagnostic(/\d+ generated.*/.exec(report)?.[0] ?? '');
});
