import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { EXAMPLES } from '../library/library-examples.ts';
import { startNode } from '../support/child.ts';
import { ROOT } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { bodyOf } from '../support/support.ts';
import { folder, home, install, pack } from './packed-package.ts';

/** `npm run check:package`: what `npm pack` makes, as somebody has it who installs it on a machine without a compiler. */
const installed = join(home, 'node_modules/aval');
const own = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const tarball = pack();

describe('the package', { timeout: 840_000 }, () => {
  it('is small, and in a form that every tool reads', async t => {
    // The encoder is 33 MB of it, the table of words 12.
    assert.ok(tarball.size < 48 * 1024 * 1024, `${tarball.size} bytes`);
    t.diagnostic(`${tarball.files.length} files, ${(tarball.size / 1_048_576).toFixed(1)} MiB packed`);
    const bytes = new Uint8Array(readFileSync(tarball.path));
    const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    assert.deepEqual(
      messages.map(message => formatMessage(message, own)),
      [],
    );
  });

  it('installs the versions that were tested, and has what an operator copies', () => {
    const files = tarball.files.map(({ path }) => path);
    for (const path of ['npm-shrinkwrap.json', '.env.example', 'deploy/Dockerfile', 'deploy/aval@.service'])
      assert.ok(files.includes(path), path);
    install(tarball.path);
    const { packages } = read(`${ROOT}package-lock.json`);
    const installedPackages = read(join(home, 'node_modules/.package-lock.json')).packages;
    for (const name of Object.keys(own.dependencies)) {
      const found =
        installedPackages[`node_modules/aval/node_modules/${name}`] ??
        installedPackages[`node_modules/${name}`];
      assert.equal(found?.version, packages[`node_modules/${name}`].version, name);
    }
  });

  it('is installed into an empty folder without a compiler, answers on the terminal, and serves', async t => {
    install(tarball.path);
    const bin = join(home, 'node_modules/.bin/aval');
    const answer = execFileSync(process.execPath, [bin, 'ask', 'precio'], { cwd: folder, encoding: 'utf8' });
    assert.match(answer, /7\.900 euros/);
    const port = String(await freePort());
    const child = startNode(t, [bin, 'serve'], { cwd: folder, env: { PORT: port } });
    await child.until('stderr', /"event":"listening"/);
    const { matches } = await bodyOf(await fetch(`http://127.0.0.1:${port}/ask?q=precio`));
    assert.equal(matches[0].claim_id, 'clm-diagnostic-price');
    child.process.kill('SIGTERM');
    assert.equal((await child.ended).code, 0);
  });
});

describe('a program in TypeScript that has it as a library', { timeout: 840_000 }, () => {
  it('compiles, and the types hold by themselves, for Node.js as for bundlers', () => {
    install(...COMPANIONS.map(name => `${name}@${own.devDependencies[name] ?? own.dependencies[name]}`));
    cpSync(join(installed, 'examples/library'), join(home, 'src'), { recursive: true });
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ ...read(join(home, 'package.json')), type: 'module' }),
    );
    compile(
      { include: ['src'] },
      { module: 'nodenext', skipLibCheck: true, rootDir: 'src', outDir: 'built' },
    );
    // Only what stands on nothing but this package: types of others have faults of their own.
    for (const module of [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]) {
      compile({ files: ['src/verify.ts'] }, { ...module, skipLibCheck: false, noEmit: true });
    }
  });

  for (const [name, check] of Object.entries(EXAMPLES)) {
    it(`runs: ${name}`, t =>
      check(env => startNode(t, [join(home, `built/${name}.js`)], { cwd: installed, env })));
  }
});

/** What the examples stand on besides. */
const COMPANIONS = [
  ...['typescript', '@types/node', 'express', '@types/express', 'fastify', 'h3'],
  ...['@modelcontextprotocol/server', '@modelcontextprotocol/sdk'],
];

/** Runs the compiler. @throws Error when it finds anything, which it has printed by then */
function compile(sources: object, options: object): void {
  const compilerOptions = {
    ...{ target: 'es2023', types: ['node'], strict: true, exactOptionalPropertyTypes: true },
    ...options,
  };
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ ...sources, compilerOptions }));
  execFileSync(process.execPath, [join(home, 'node_modules/typescript/bin/tsc')], {
    cwd: home,
    stdio: 'inherit',
  });
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
