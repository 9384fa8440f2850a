import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What production installs, for the tarball: npm-shrinkwrap.json, since npm ignores the package-lock.json of a tarball, and
 * dist/sbom.cdx.json, every package with its licence and hash (CycloneDX). `--remove` ends `npm pack`: in a clone the shrinkwrap
 * would hide the lock.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SHRINKWRAP = `${ROOT}npm-shrinkwrap.json`;

if (process.argv.includes('--remove')) rmSync(SHRINKWRAP, { force: true });
else write();

function write() {
  const read = file => JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8'));
  const { devDependencies: _, ...manifest } = read('package.json');
  const whole = read('package-lock.json');
  const { devDependencies: __, ...root } = whole.packages[''];
  const needed = Object.entries(whole.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const lock = { ...whole, packages: { '': root, ...Object.fromEntries(needed) } };
  writeFileSync(SHRINKWRAP, `${JSON.stringify(lock, null, 2)}\n`);
  mkdirSync(`${ROOT}dist`, { recursive: true });
  writeFileSync(`${ROOT}dist/sbom.cdx.json`, bill(manifest, lock));
}

/** `npm sbom --omit dev` also leaves out what is needed in both ways, and names the whole after its folder. */
function bill(manifest, lock) {
  const place = mkdtempSync(join(tmpdir(), 'aval-sbom-'));
  const folder = join(place, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const written = execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  rmSync(place, { recursive: true });
  return written;
}
