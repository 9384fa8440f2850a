import { spawn } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * `npm test`: compiles the tests with what they import once, and deals them to a few processes that run side by side: loading
 * modules and the model in each of 80 processes took a third of the time. The compiled files lie one folder deep, as the
 * tests do, so that what is relative to a file stays where it is.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OUT = `${ROOT}.test/`;
const tests = readdirSync(`${ROOT}test`)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => name.slice(0, -'.ts'.length));

rmSync(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  // The command too: tests that run it need not compile it.
  entryPoints: [{ in: 'server/cli.ts', out: 'cli' }, ...tests.map(name => ({ in: `test/${name}.ts`, out: name }))],
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
});

/** Twice as many as cores, since tests also wait. The largest files are dealt first, so that each gets its part of them. */
const processes = 2 * Math.max(2, availableParallelism());
const bySize = tests.toSorted((a, b) => statSync(`${ROOT}test/${b}.ts`).size - statSync(`${ROOT}test/${a}.ts`).size);
const files = Array.from({ length: processes }, (_, nth) => {
  const dealt = bySize.filter((_, place) => place % processes === nth);
  const file = `${OUT}part-${nth + 1}.js`;
  writeFileSync(file, dealt.map(name => `import './${name}.js';\n`).join(''));
  return file;
});
const options = ['--enable-source-maps', '--test', `--test-concurrency=${processes}`];
spawn(process.execPath, [...options, ...files], { cwd: ROOT, stdio: 'inherit' }).on('exit', code => {
  process.exitCode = code ?? 1;
});
