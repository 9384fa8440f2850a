// @ts-check
/**
 * What a thread runs: tokenizer and model of one directory. It reads one text a run, so that a vector never depends on other texts.
 * JavaScript, since threads of a checkout have no compiler. The build makes a bundle of this file.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openUnigram } from './unigram.js';

/** @import { Found, Task } from './encoder.ts' */

/** No literal type: the compiler would look for it, and the optional package may be absent. @type {string} */
const RUNTIME = 'onnxruntime-node';

/** One thread a session: further ones would fight with ours for the cores. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' };

/** How the model reads a text (model/encoder/README.md): so many pieces of it, between a start and an end. */
const [MOST_PIECES, START, END] = [94, 0, 2];
const PREFIX = { claim: 'passage: ', question: 'query: ' };

/** @type {ReturnType<typeof openModel> | undefined} */
let opened;

/**
 * @param {string} directory
 * @returns {Promise<Found>}
 * @throws Error with the file that is damaged
 */
export async function open(directory) {
  try {
    await import(RUNTIME);
  } catch (error) {
    return { missing: `${RUNTIME} cannot be loaded: ${firstLine(error)}` };
  }
  opened ??= openModel(directory);
  return { digest: (await opened).digest };
}

/**
 * @param {Task} task
 * @returns {Promise<Float32Array>}
 * @throws Error without the reason, which could repeat the text
 */
export default async function encode({ directory, text, role }) {
  opened ??= openModel(directory);
  const { run } = await opened;
  return run(text, role).catch(() => {
    throw new Error('the encoder failed on a text');
  });
}

/** @param {string} directory */
async function openModel(directory) {
  const runtime = await import(RUNTIME);
  const [words, model] = [join(directory, 'tokenizer.json'), join(directory, 'model.onnx')];
  const idsOf = await readFile(words).then(openTokenIds).catch(inFile(words));
  // By its path: bytes that the runtime got from here would wait for a collection, 36 MB of them.
  const session = await runtime.InferenceSession.create(model, OPTIONS).catch(inFile(model));
  /** @param {string} text @param {Task['role']} role @returns {Promise<Float32Array>} */
  const run = async (text, role) => {
    const ids = idsOf(text, role);
    /** @param {BigInt64Array} values */
    const tensor = values => new runtime.Tensor('int64', values, [1, values.length]);
    const { vector } = await session.run({ ids: tensor(ids), mask: tensor(ids.map(() => 1n)) });
    const numbers = vector?.data;
    if (numbers instanceof Float32Array && Math.abs(Math.hypot(...numbers) - 1) < 0.01) return numbers;
    throw new Error('it does not answer with a vector of length 1');
  };
  await run('a', 'question').catch(inFile(model));
  const hash = createHash('sha256');
  for (const file of [words, model]) for await (const part of createReadStream(file)) hash.update(part);
  return { run, digest: hash.digest('hex') };
}

/**
 * What makes a text the numbers that the model takes.
 * @param {Uint8Array} file
 * @throws Error for a file that is no tokenizer.json
 */
export async function openTokenIds(file) {
  const piecesOf = openUnigram(file);
  /** @param {string} text @param {Task['role']} role */
  return (text, role) =>
    BigInt64Array.from([START, ...piecesOf(PREFIX[role] + text).slice(0, MOST_PIECES), END], BigInt);
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
