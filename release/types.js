import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes the types of the library to dist/types: of all that the compiler declares only what the library's own file leads
 * to, so that no type of an inner part is published, nor a package that a program has no use for.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ENTRY = 'server/library/index.d.ts';
const PATH = /(from |import\()'(\.[^']*)\.ts'/g;

const declared = mkdtempSync(join(tmpdir(), 'aval-types-'));
const written = new Set();
try {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const args = [tsc, '--project', 'release/tsconfig.types.json', '--outDir', declared];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  rmSync(join(ROOT, 'dist/types'), { recursive: true, force: true });
  write(ENTRY);
} finally {
  rmSync(declared, { recursive: true });
}

function write(path) {
  if (written.has(path)) return;
  written.add(path);
  const text = readFileSync(join(declared, path), 'utf8');
  const target = join(ROOT, 'dist/types', path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(PATH, "$1'$2.js'"));
  for (const [, , imported] of text.matchAll(PATH)) write(`${join(dirname(path), imported)}.d.ts`);
}
