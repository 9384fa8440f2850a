// @ts-check
/**
 * An encoder thread runs this module. It opens one model and reads one text at a time, so a vector never
 * depends on other texts. It is JavaScript, because Node 20 cannot compile TypeScript in a thread; the build
 * bundles it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTransformer } from './transformer.js';
import { openUnigram } from './unigram.js';

/** @import { ModelSource, OpenedModel, ReadingTask, Role } from './model.ts' */

/**
 * @typedef {object} Model
 * @property {string[]} files
 * @property {string} runtime
 * @property {(text: string, role: Role) => Promise<Float32Array>} read
 */

/** Runtimes in order of preference. The second one runs everywhere, but is seven times slower. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'];

/** One thread a session: more would compete with the other encoder threads for the cores. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' };

/** Prefix of each kind of text, and most ids of it (model/encoder/README.md, 2). */
const READING = {
  claim: { prefix: 'passage: ', length: 192 },
  question: { prefix: 'query: ', length: 96 },
};
const FIRST_ID = 0;
const LAST_ID = 2;

/** @type {Promise<Model> | undefined} */
let model;

/**
 * @param {ModelSource} source
 * @returns {Promise<OpenedModel>}
 * @throws Error that says which file is damaged, or what to install
 */
export async function open(source) {
  const { files, runtime } = await opened(source);
  return { digest: await digestOf(files, runtime), runtime };
}

/**
 * @param {ReadingTask} task
 * @returns {Promise<Float32Array>} a vector of length 1
 * @throws Error without the reason, which could repeat the text
 */
export default async function read({ source, text, role }) {
  const { read } = await opened(source);
  const vector = await read(text, role).catch(() => undefined);
  if (vector instanceof Float32Array && Math.abs(Math.hypot(...vector) - 1) < 0.01) return vector;
  throw new Error('the embedding model failed on a text');
}

/** @param {ModelSource} source */
function opened(source) {
  if (!model) {
    model = 'directory' in source ? openBundled(source.directory) : openTransformer(source);
    // The next text tries again: a file may have been missing for a moment.
    model.catch(() => {
      model = undefined;
    });
  }
  return model;
}

/**
 * @param {string} directory holds model.onnx and tokenizer.json
 * @returns {Promise<Model>}
 */
async function openBundled(directory) {
  const { name, runtime } = await loadRuntime();
  const tokenizerFile = join(directory, 'tokenizer.json');
  const modelFile = join(directory, 'model.onnx');
  const idsOf = await readFile(tokenizerFile).then(openIds).catch(inFile(tokenizerFile));
  // onnxruntime-node reads the file itself: 36 MB of bytes would stay in memory until a collection.
  const content = name === RUNTIMES[0] ? modelFile : await readFile(modelFile).catch(inFile(modelFile));
  const session = await runtime.InferenceSession.create(content, SESSION).catch(inFile(modelFile));
  /** @type {Model['read']} */
  const read = async (text, role) => {
    const ids = idsOf(text, role);
    /** @param {BigInt64Array} values */
    const tensor = values => new runtime.Tensor('int64', values, [1, values.length]);
    const { vector } = await session.run({ ids: tensor(ids), mask: tensor(ids.map(() => 1n)) });
    return vector.data;
  };
  await read('a', 'question').catch(inFile(modelFile));
  const version = runtime.env?.versions?.common;
  return { files: [tokenizerFile, modelFile], runtime: `${name} ${version}`, read };
}

/**
 * The first runtime that can be loaded here.
 * @param {(name: string) => Promise<any>} load
 * @throws Error that says what to install
 */
export async function loadRuntime(load = name => import(name)) {
  const faults = [];
  for (const name of RUNTIMES) {
    try {
      return { name, runtime: await load(name) };
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
      faults.push(isAbsent ? 'it is not installed' : firstLine(error));
    }
  }
  throw new Error(
    `onnxruntime-node cannot be loaded (${faults[0]}): run ONNXRUNTIME_NODE_INSTALL=skip npm ` +
      'install onnxruntime-node; ' +
      'on musl or an Intel Mac run npm install onnxruntime-web',
  );
}

/**
 * The ids that the bundled model takes for a text.
 * @param {Uint8Array} file tokenizer.json
 * @throws Error for a file that is no tokenizer
 */
export async function openIds(file) {
  const piecesOf = openUnigram(file);
  /** @param {string} text @param {Role} role */
  return (text, role) => {
    const { prefix, length } = READING[role];
    const pieces = piecesOf(prefix + text, length - 2);
    return BigInt64Array.from([FIRST_ID, ...pieces, LAST_ID], BigInt);
  };
}

/**
 * A digest that names a model by its files and its runtime.
 * @param {string[]} files @param {string} runtime
 */
async function digestOf(files, runtime) {
  const hash = createHash('sha256').update(`${runtime} ${process.platform} ${process.arch}\n`);
  for (const file of files) {
    for await (const part of createReadStream(file)) hash.update(part);
  }
  return hash.digest('hex');
}

/** @param {string} file @returns {(error: unknown) => never} */
function inFile(file) {
  return error => {
    throw new Error(`${file}: ${firstLine(error)}`);
  };
}

/** @param {unknown} error */
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
