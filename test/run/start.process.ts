import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';

/** A project as small as can be, in a folder with a space in its name, with the real build beside it. */
function smallProject({ compiler = true } = {}) {
  const folder = join(temporaryFolder(), 'a folder');
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const room of ['brand', 'tools', 'rest', 'discovery', 'owner', 'server'])
    mkdirSync(join(folder, room), { recursive: true });
  cpSync(`${ROOT}release/build.js`, join(folder, 'release/build.js'));
  write('package.json', '{"type":"module"}');
  for (const file of ['server/cli.ts', 'server/library/index.ts', 'brand/retrieval/encoder-thread.js'])
    write(file, '');
  write('server/main.ts', "console.log('first' satisfies string);\n");
  if (compiler) symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'));
  return folder;
}

/** What `npm start` runs. */
function start(folder: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './release/build.js', 'dist/server/main.js'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

/** Whatever is left of a process and its children. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    assert.match(String(error), /ESRCH/);
  }
}

describe('npm start', { timeout: 600_000 }, () => {
  it('compiles what is not compiled yet, and again only when the sources have changed', () => {
    const folder = smallProject();
    assert.deepEqual(start(folder), { status: 0, stdout: 'first\n', stderr: '' });
    const built = () => statSync(join(folder, 'dist/server/main.js')).mtimeMs;
    const before = built();
    assert.deepEqual(start(folder), { status: 0, stdout: 'first\n', stderr: '' });
    assert.equal(built(), before);
    writeFileSync(join(folder, 'server/main.ts'), "console.log('second');\n");
    assert.deepEqual(start(folder), { status: 0, stdout: 'second\n', stderr: '' });
  });

  it('says what to do, in one line, where nothing is built and no compiler installed', () => {
    const { status, stdout, stderr } = start(smallProject({ compiler: false }));
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^aval: nothing is built yet, .*npm ci.*\n$/);
  });

  it('ends the server when npm is told to end, and leaves no process behind', async t => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(await freePort()), DATA_DIR: temporaryFolder() },
      detached: true,
    });
    t.after(() => endGroup(npm.pid));
    let printed = '';
    for await (const text of npm.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      printed += text;
      if (printed.includes('"event":"listening"')) break;
    }
    const [, url] = /"url":"([^"]+)"/.exec(printed) ?? [];
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
    npm.stdout.resume();
    npm.stderr.resume();
    npm.kill('SIGTERM');
    // Its streams close when the last process that holds them has ended.
    await once(npm, 'close');
    await assert.rejects(fetch(`${url}/api/v1/status`));
  });
});

describe('a Node that is too old', () => {
  it('is told which one is needed, in one line', () => {
    const { engines } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    assert.equal(engines.node, '>=20.19');
    const asIfOn = (version: string) => {
      const script = join(temporaryFolder(), 'old.ts');
      writeFileSync(
        script,
        `import { refuseOldNode } from '${ROOT}server/config/node-version.ts';\nrefuseOldNode('${version}');`,
      );
      return spawnSync(process.execPath, ['--import', 'tsx', script], { cwd: ROOT, encoding: 'utf8' });
    };
    const { status, stdout, stderr } = asIfOn('20.18.3');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^aval: needs Node 20\.19 or newer, and this is 20\.18\.3;[^\n]*\n$/);
    assert.equal(asIfOn('20.19.0').status, 0);
  });
});
