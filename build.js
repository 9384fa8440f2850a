import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run build`, and the first half of `npm start`: compiles the sources to dist/ unless it was compiled from these very
 * sources. Plain JavaScript, since it runs before anything is compiled.
 */
const ROOT = fileURLToPath(new URL('.', import.meta.url));
const DIST = join(ROOT, 'dist');
const PROJECT = 'tsconfig.build.json';

const sources = sourceDigest();
const compiledFrom = join('dist', '.compiled-from');
if (readIfThere(compiledFrom) !== sources) build();

function build() {
  const compiler = compilerPath();
  if (compiler === undefined) return keep('the compiler is a development package: npm ci installs it');
  if (!canWrite()) return keep('this folder cannot be written to: run npm run build where it can');
  // Whole or not at all: another process may be starting from dist/.
  const next = `${DIST}.new`;
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(ROOT, PROJECT), '--outDir', next], {
    stdio: 'inherit',
  });
  if (status !== 0) return fail('the sources do not compile');
  writeFileSync(join(next, '.compiled-from'), sources);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(next, DIST);
}

/** Starts what is there, as long as anything is. */
function keep(why) {
  if (!existsSync(DIST)) return fail(`nothing is built yet, and ${why}`);
  process.stderr.write(`aval: dist/ is older than the sources, and ${why}\n`);
}

function fail(why) {
  process.stderr.write(`aval: ${why}\n`);
  process.exit(1);
}

/** Of what is compiled and how. Times of files would not do: a checkout, a copy or an image sets them anew. */
function sourceDigest() {
  const hash = createHash('sha256');
  const folders = JSON.parse(readFileSync(join(ROOT, PROJECT), 'utf8')).include;
  for (const file of ['tsconfig.json', PROJECT, ...folders.flatMap(filesIn).sort()]) {
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function compilerPath() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}

function canWrite() {
  try {
    accessSync(ROOT, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readIfThere(file) {
  return existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;
}
