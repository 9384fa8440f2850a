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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run build`, and the first half of `npm start`: bundles the sources into dist/ unless it was made from these very
 * sources. Plain JavaScript, since it runs before anything is compiled; types are the business of `npm run check`.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const FOLDERS = ['brand', 'tools', 'rest', 'discovery', 'owner', 'server'];

/**
 * Bundles, each with files of its own: the server, which then loads nine, where the files it would share with every command are
 * five times as many and take a tenth of its start; the command and the library; what the encoder's threads run.
 */
const BUNDLES = [
  ['server/main.ts'],
  ['server/cli.ts', 'server/library/index.ts'],
  ['brand/retrieval/encoder-thread.js'],
];

/**
 * Packages that every start needs become part of the bundle: finding and linking hundreds of files takes longer than reading a few.
 * The others are loaded from node_modules by whoever needs them.
 */
const INLINED = [
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  'canonicalize',
  'commander',
  'h3',
  'ipaddr.js',
  'jose',
  'jsonc-parser',
  'leven',
  'lru-cache',
  'rou3',
  'srvx',
  'zod',
];

const OPTIONS = {
  absWorkingDir: ROOT,
  outbase: '.',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  chunkNames: 'server/parts/[name]-[hash]',
  plugins: [{ name: 'packages', setup }],
  // For packages that are written as CommonJS.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
};

/** Everything that is neither a file of ours nor inlined stays an import; a built-in module that nothing uses goes (srvx names node:http2). */
function setup({ onResolve, onLoad }) {
  onLoad({ filter: /pages[\\/]client[\\/]files\.ts$/ }, () => ({
    contents: `export const FILES = new Map(${clientFiles()})`,
  }));
  const inlined = new RegExp(`^(${INLINED.join('|')})(/|$)`);
  onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
    return kind === 'entry-point' || path.startsWith('/') || inlined.test(path)
      ? undefined
      : { path, external: true, sideEffects: !path.startsWith('node:') };
  });
}

/** The scripts and styles of pages become part of the bundle. */
function clientFiles() {
  const folder = 'discovery/pages/client';
  return JSON.stringify(readdirSync(join(ROOT, folder)).map(name => [name, readIfThere(join(folder, name))]));
}

const sources = sourceDigest();
if (readIfThere('dist/.built-from') !== sources) await build();

async function build() {
  const esbuild = await import('esbuild').catch(() => undefined);
  if (esbuild === undefined) return keep('the compiler is a development package: npm ci installs it');
  if (!canWrite()) return keep('this folder cannot be written to: run npm run build where it can');
  // Whole or not at all: another process may be starting from dist/.
  const next = `${DIST}.new`;
  const built = BUNDLES.map(entryPoints => esbuild.build({ ...OPTIONS, entryPoints, outdir: next }));
  const compiled = await Promise.all(built).catch(() => undefined);
  // The compiler is a process of its own, which would stay as long as the server.
  await esbuild.stop();
  if (!compiled) return fail('the sources do not compile');
  writeFileSync(join(next, '.built-from'), sources);
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

/** Of everything that is compiled, and how. Times of files would not do: a checkout, a copy or an image sets them anew. */
function sourceDigest() {
  const hash = createHash('sha256');
  for (const file of ['release/build.js', 'package-lock.json', ...FOLDERS.flatMap(filesIn).sort()]) {
    hash.update(`${file}\0`).update(readIfThere(file) ?? '');
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
