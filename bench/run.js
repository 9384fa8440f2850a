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
  planted: ['bench/planted/plant.ts'],
};

const args = process.argv.slice(2);
const isNamed = args.length > 0 && !args[0].startsWith('-');
const name = isNamed ? args[0] : 'speed';
const [file, needs] = BENCHES[name] ?? [];
if (file === undefined) {
  process.stderr.write(`no bench ${name}: there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(2);
}

if (args.includes('--help')) {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  const about = comments.find(comment => comment.includes('npm run')) ?? '';
  const text = about.replace(/^\/?[ *]+\/?|\*\/$/gm, '').trim();
  process.stdout.write(`${text}\n\nAll benches: ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit();
}

const run = (...command) => {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if (needs === 'built') run('release/build.js');
run('--import', 'tsx', file, ...args.slice(isNamed ? 1 : 0));
