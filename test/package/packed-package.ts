import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from '../support/folder.ts';

/** What `npm pack` makes, and where a check installs it; gone when the tests of the file are done. */
export const folder = temporaryFolder();

export const home = join(folder, 'somewhere else');

/** @returns the tarball, with its size in bytes and the files in it */
export function pack(): {
  readonly path: string;
  readonly size: number;
  readonly files: readonly { path: string }[];
} {
  const args = ['pack', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  return { path: join(folder, packed.filename), size: packed.size, files: packed.files };
}

/** Installs packages as somebody does who has no compiler. */
export function install(...packages: readonly string[]): void {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, ...packages], {
    env: { ...process.env, PATH: withoutCompilers(), NODE_ENV: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** PATH with stubs first, which fail as a missing compiler does. */
function withoutCompilers(): string {
  const stubs = mkdtempSync(join(folder, 'stubs-'));
  for (const name of ['gcc', 'g++', 'cc', 'c++', 'make', 'python3', 'python'])
    writeFileSync(join(stubs, name), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  return `${stubs}:${process.env.PATH}`;
}
