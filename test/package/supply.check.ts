import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startNode } from '../support/child.ts';
import { ROOT } from '../support/folder.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { post } from '../support/support.ts';
import { home, install, pack } from './packed-package.ts';

/** `npm run check:package`: what others have made of all that production runs. */

/** Licences that ask for no more than their own text to be kept; 0BSD, MIT-0 and Unlicense ask for nothing. */
const ALLOWED = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  ...['Unlicense'],
];

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
}

interface Component {
  readonly purl: string;
  /** One licence, or an expression with several of which the user may choose: `(MIT OR CC0-1.0)`. */
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('the packages that production needs', { timeout: 840_000 }, () => {
  const tarball = pack();
  const components: readonly Component[] = read(`${ROOT}dist/sbom.cdx.json`).components;

  it('are all in the bill of materials that the package has with it', () => {
    assert.ok(tarball.files.some(({ path }) => path === 'dist/sbom.cdx.json'));
    const { packages } = read(`${ROOT}package-lock.json`);
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    for (const [path, { version, dev, peer }] of Object.entries<Locked>(packages)) {
      if (path === '' || dev || peer) continue;
      const name = path.replace(/^.*node_modules\//, '');
      assert.ok(listed.has(`pkg:npm/${name}@${version}`), `${name}@${version}`);
    }
  });

  it('have licences that ask for no more than their text', () => {
    for (const { purl, licenses } of components)
      for (const { license, expression = license?.id ?? '' } of licenses) {
        const choices = expression.replace(/[()]/g, '').split(' OR ');
        assert.ok(
          choices.some(id => ALLOWED.includes(id)),
          `${purl}: ${expression}`,
        );
      }
    assert.ok(components.every(({ licenses }) => licenses.length > 0));
  });

  it('need no script to be installed: without one the server answers and keeps what it is sent', async t => {
    install('--ignore-scripts', tarball.path);
    const bin = join(home, 'node_modules/.bin/aval');
    const child = startNode(t, [bin, 'serve'], { cwd: home, env: { PORT: '0' } });
    const line = await child.until('stderr', /\{.*"event":"listening".*\}/);
    const { url } = JSON.parse(line);
    assert.equal((await fetch(`${url}/ask?q=precio`)).status, 200);
    assert.equal((await post(`${url}/api/v1/contact`, DIAGNOSTIC)).status, 200);
  });

  it('have no known vulnerability, where the registry can be asked', t => {
    const { stdout } = spawnSync('npm', ['audit', '--omit', 'dev', '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const { metadata, vulnerabilities } = JSON.parse(stdout);
    if (!metadata)
      return t.skip('this registry does not answer npm audit: ask where it does, npm audit --omit dev');
    assert.deepEqual(vulnerabilities, {}, JSON.stringify(metadata.vulnerabilities));
  });
});
