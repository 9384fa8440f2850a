import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
// Tests that run the command run the one that is shipped.
import '../release/build.js';

/**
 * `npm test`: compiles the tests with what they import once, and runs them in a few processes side by side: loading modules and
 * the model in each of 80 processes took a third of the time. The compiled files lie two folders deep, as the tests do, so that
 * what is relative to a file stays where it is. `npm run test:process` gives each file a process of its own: its tests end
 * processes and take ports. A third word keeps the files whose names have it: `node test/run.js process stdio`.
 */
const [KIND = 'test', named = ''] = process.argv.slice(2);
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = `${ROOT}.test/`;
const tests = readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith(`.${KIND}.ts`) && name.includes(named))
  .map(name => name.slice(0, -'.ts'.length));

rmSync(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: tests.map(name => ({ in: `test/${name}.ts`, out: name })),
  outdir: OUT,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  plugins: [
    {
      name: 'scripts and styles of pages, as in release/build.js',
      setup: ({ onLoad }) =>
        onLoad({ filter: /pages[\\/]client[\\/]files\.ts$/ }, ({ path }) => {
          const texts = readdirSync(dirname(path)).map(name => [
            name,
            readFileSync(join(dirname(path), name), 'utf8'),
          ]);
          return { contents: `export const FILES = new Map(${JSON.stringify(texts)})` };
        }),
    },
  ],
});

/** Largest first, so that none is left to run alone at the end. */
const size = name => statSync(`${ROOT}test/${name}.ts`).size;
writeFileSync(`${OUT}files.json`, JSON.stringify(tests.toSorted((a, b) => size(b) - size(a))));

/** Twice as many as cores, since tests also wait. */
const processes = 2 * Math.max(2, availableParallelism());
const shared = Array.from({ length: processes }, (_, nth) => `${OUT}part-${nth + 1}.js`);
for (const part of shared) writeFileSync(part, "import '../test/part.js';\n");
const parts = KIND === 'test' ? shared : tests.map(name => `${OUT}${name}.js`);
/** Whatever tests write goes at the end. Where memory can be had as a folder, no commit of their databases waits for the disk. */
const MEMORY = '/dev/shm';
const hasRoom = folder => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 1e9;
};
const folder = mkdtempSync(join(existsSync(MEMORY) && hasRoom(MEMORY) ? MEMORY : tmpdir(), 'aval-tests-'));
// Postgres runs as a user of its own, who has to come through here.
chmodSync(folder, 0o711);
const env = { ...process.env, TMPDIR: folder };
// Ctrl-C ends the tests, and they end this.
process.on('SIGINT', () => {});

const options = [
  '--enable-source-maps',
  '--max-semi-space-size=16',
  '--test',
  `--test-concurrency=${processes}`,
];
spawn(process.execPath, [...options, ...parts], { cwd: ROOT, env, stdio: 'inherit' }).on('exit', code => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exitCode = code ?? 1;
});
