import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/folder.ts';
import { ROOT } from '../support/support.ts';

/**
 * Runs the tests of transformer models with the optional package in a folder of its own: 470 MB that no checkout needs.
 * A part of npm run check:package; alone: node --import tsx test/retrieval/transformer.check.ts [FOLDER], where FOLDER has the
 * package installed already.
 */
const PACKAGE = '@huggingface/transformers';
const range: string = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).peerDependencies[PACKAGE];
const folder = temporaryFolder();
const home = process.argv[2] ? resolve(process.argv[2]) : install();
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-reporter', 'spec', `${ROOT}test/retrieval/transformer.test.ts`],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: `--import ${resolvingFrom(home)}` } },
);
process.exitCode = status ?? 1;

/** With both guards against the CUDA download of onnxruntime-node: npm 10 knows the variable, npm 12 the list. */
function install(): string {
  write(
    'package.json',
    JSON.stringify({ private: true, allowScripts: { 'onnxruntime-node': false, protobufjs: false } }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${PACKAGE}@${range}`], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  return folder;
}

/** Modules know no NODE_PATH: a hook resolves this one package as if a file of the folder had imported it. */
function resolvingFrom(home: string): string {
  const parentURL = pathToFileURL(join(home, 'package.json')).href;
  write(
    'resolve.mjs',
    `export const resolve = (name, context, next) =>
      next(name, name === '${PACKAGE}' ? { ...context, parentURL: '${parentURL}' } : context);`,
  );
  const hook = write(
    'hook.mjs',
    `import { register } from 'node:module'; register('./resolve.mjs', import.meta.url);`,
  );
  return pathToFileURL(hook).href;
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
