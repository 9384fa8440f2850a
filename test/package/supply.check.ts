import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod';
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

/** One licence, or several of which the one that uses the package may choose: `(MIT OR CC0-1.0)`. */
const Licence = z.union([
  z.object({ license: z.object({ id: z.string() }) }).transform(({ license }) => [license.id]),
  z
    .object({ expression: z.string().regex(/^\(?[\w.-]+( OR [\w.-]+)*\)?$/) })
    .transform(({ expression }) => expression.replace(/[()]/g, '').split(' OR ')),
]);

const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.literal('aval'), purl: z.string() }) }),
  components: z.array(
    z.object({
      purl: z.string(),
      licenses: z.array(Licence).min(1),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string() })).min(1),
    }),
  ),
});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), dev: z.boolean().optional(), peer: z.boolean().optional() }),
  ),
});

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

describe('the packages that production needs', { timeout: 840_000 }, () => {
  const tarball = pack();
  const { components } = Bill.parse(read(`${ROOT}dist/sbom.cdx.json`));

  it('are all in the bill of materials that the package has with it', () => {
    assert.ok(tarball.files.some(({ path }) => path === 'dist/sbom.cdx.json'));
    const { packages } = Lock.parse(read(`${ROOT}package-lock.json`));
    const needed = Object.entries(packages).filter(([path, { dev, peer }]) => path !== '' && !dev && !peer);
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    for (const [path, { version }] of needed) {
      const name = path.replace(/^.*node_modules\//, '');
      assert.ok(listed.has(`pkg:npm/${name}@${version}`), `${name}@${version}`);
    }
  });

  it('have licences that ask for no more than their text', t => {
    const counts = new Map<string, number>();
    for (const { purl, licenses } of components) {
      for (const choice of licenses) {
        const id = choice.find(one => ALLOWED.includes(one));
        assert.ok(id !== undefined, `${purl}: ${choice.join(' or ')}`);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    t.diagnostic(
      `${components.length} packages: ${[...counts].map(([id, count]) => `${count} ${id}`).join(', ')}`,
    );
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
