import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lock } from './production-lock.js';

/**
 * npm-shrinkwrap.json for the tarball: npm ignores a package-lock.json there, so whoever installs the tarball would get other
 * versions than those that were tested. `npm pack` makes it, and takes it away afterwards: in a clone it would hide the lock.
 */
const file = fileURLToPath(new URL('npm-shrinkwrap.json', import.meta.url));
if (process.argv.includes('--remove')) rmSync(file, { force: true });
else writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
