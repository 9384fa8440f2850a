import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { ROOT } from '../test/support/folder.ts';

/** Work of others on this machine, before: about 0 where it is quiet. */
const [LOAD_BEFORE = 0] = loadavg();

/** The code that `npm start` runs. */
const FOLDERS = ['brand', 'tools', 'rest', 'discovery', 'server'];

/** When and where something was measured, and which code. */
export function circumstances() {
  const system = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${system}, load before ${LOAD_BEFORE.toFixed(1)}`,
    code: measuredCode(),
  };
}

/** Digest of the code as it is now. `npm run docs -- --check` fails where a result names another. */
export function measuredCode(): string {
  const hash = createHash('sha256');
  const files = FOLDERS.flatMap(folder =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  for (const file of files.filter(name => /\.(ts|js|css)$/.test(name)).sort())
    hash.update(file).update(readFileSync(ROOT + file));
  return hash.digest('hex').slice(0, 16);
}

/** Keeps a result, from which the documents are written. */
export function keep(name: string, result: object): void {
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
