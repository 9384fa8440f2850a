import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock, manifest } from './production-lock.js';

/**
 * `node sbom.js`: dist/sbom.cdx.json, every package that production needs with its licence and hash (CycloneDX). Made of a
 * lock without the development packages: `npm sbom --omit dev` also leaves out what is needed in both ways, and names the
 * whole after its folder.
 */
const ROOT = fileURLToPath(new URL('.', import.meta.url));

const place = mkdtempSync(join(tmpdir(), 'aval-sbom-'));
const folder = join(place, manifest.name);
mkdirSync(folder);
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
const bill = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
});
rmSync(place, { recursive: true });
mkdirSync(`${ROOT}dist`, { recursive: true });
writeFileSync(`${ROOT}dist/sbom.cdx.json`, bill);
