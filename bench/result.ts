import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { measuredCode } from './measured-code.ts';

/** Work of others on this machine, before: about 0 where it is quiet. */
const [LOAD_BEFORE = 0] = loadavg();

/** When and where something was measured, and which code. */
export function circumstances() {
  const system = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${system}, load before ${LOAD_BEFORE.toFixed(1)}`,
    code: measuredCode(),
  };
}

/** Keeps a result, from which the documents are written. */
export function keep(name: string, result: object): void {
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
