import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * `npm test`: compiles the tests with what they import once, all together, and runs them side by side. Loading 250 modules
 * through tsx took most of the time of most files. The compiled files lie one folder deep, as the tests do, so that what is
 * relative to a file stays where it is.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const tests = readdirSync(`${ROOT}test`).filter(name => name.endsWith('.test.ts'));

rmSync(`${ROOT}.test`, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: tests.map(name => `test/${name}`),
  outdir: '.test',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
});

const files = tests.map(name => `.test/${name.replace(/ts$/, 'js')}`);
const options = ['--enable-source-maps', '--test', `--test-concurrency=${Math.max(2, availableParallelism())}`];
spawn(process.execPath, [...options, ...files], { cwd: ROOT, stdio: 'inherit' }).on('exit', code => {
  process.exitCode = code ?? 1;
});
