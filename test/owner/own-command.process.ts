import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ownCommand } from '../../owner/own-command.ts';
import { childEnvironment, nodeArguments } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';

const run = promisify(execFile);

describe('the commands that aval init prints', { timeout: 300_000 }, () => {
  it('work as typed, in the way that init was started, with a path that has spaces', async () => {
    const directory = join(temporaryFolder(), 'my brand');
    const flags = ['--name', 'Acme', '--url', 'https://acme.example', '--language', 'en'];
    const options = { cwd: ROOT, env: childEnvironment() };
    const { stderr } = await run(
      process.execPath,
      nodeArguments('server/cli.ts', 'init', directory, ...flags),
      options,
    );
    const [check = '', sign = '', serve = ''] = stderr
      .split('\n')
      .flatMap(line => /^[234]\. (.*)$/.exec(line)?.[1] ?? []);
    assert.match((await run('sh', ['-c', check], options)).stderr, /2 claims, 1 proof, 0 faults/);
    assert.match((await run('sh', ['-c', sign], options)).stderr, /signed, valid until/);
    assert.match((await run('sh', ['-c', `${serve} --help`], options)).stdout, /run the HTTP server/);
  });

  it('name the program where npm has put it on the PATH or into a project', () => {
    const directory = temporaryFolder();
    symlinkSync(`${ROOT}server/cli.ts`, join(directory, 'aval'));
    assert.ok(existsSync(join(directory, 'aval')));
    assert.equal(ownCommand({ script: join(directory, 'aval') }).here, 'aval');
    const script = '/site/node_modules/.bin/aval';
    for (const cwd of ['/site', '/site/brand']) assert.equal(ownCommand({ script, cwd }).here, 'npx aval');
    const linked = ownCommand({ script: join(directory, 'aval'), nodeOptions: [] });
    assert.equal(linked.withSettings('.env'), `node --env-file=.env ${realpathSync(ROOT)}/server/cli.ts`);
    const built = ownCommand({ script: '/opt/aval/dist/server/cli.js', nodeOptions: [], cwd: '/opt' });
    assert.equal(built.here, 'node aval/dist/server/cli.js');
  });
});
