import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// This folder measures: speed, torture (nothing accepted is lost), planted faults (tests notice), retrieval.
// In: the built server and the data of examples/. Out: a table on stdout; with --write a file in
// bench/results.

/**
 * `npm run bench -- NAME [options]`: each bench, and whether it needs the build. Without a name: `speed`.
 * `--help` tells its options.
 */
const BENCHES = {
  speed: ['bench/speed/bench.ts', 'built'],
  torture: ['bench/torture/torture.ts', 'built'],
  text: ['bench/speed/strangers-text.ts'],
  planted: ['bench/planted/plant.ts'],
  picture: ['docs/picture.ts', 'built'],
};

const given = process.argv.slice(2);
const isNamed = given.length > 0 && !given[0].startsWith('-');
const name = isNamed ? given[0] : 'speed';
const [file, needs] = BENCHES[name] ?? [];
if (file === undefined) {
  process.stderr.write(`no bench ${name}: there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(2);
}

if (given.includes('--help')) {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  const about = comments.find(comment => comment.includes('npm run')) ?? '';
  process.stdout.write(
    `${about.replace(/^\/?[ *]+\/?|\*\/$/gm, '').trim()}\n\nAll benches: ${Object.keys(BENCHES).join(', ')}\n`,
  );
  process.exit();
}

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if (needs === 'built') run('release/build.js');
run('--import', 'tsx', file, ...given.slice(isNamed ? 1 : 0));
