/**
 * What a worker thread runs: tokenizer and model of one directory. It reads one text a run, so that a vector never depends on other
 * texts. It says Found, then Opened, then Done for each Task. The build makes a bundle of this file.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Role } from './encoder.ts';
import { openTokenIds } from './token-ids.ts';

export interface Task {
  readonly text: string;
  readonly role: Role;
}

/** `fault`: a file of the model cannot be used. */
interface Fault {
  readonly fault: string;
}

/** The digest of the model's files, told before they are opened. `missing`: onnxruntime-node cannot be loaded here. */
export type Found = { readonly digest: string } | { readonly missing: string } | Fault;

/** Tasks are read from here on. */
export type Opened = { readonly opened: true } | Fault;

/** Without a vector where the model failed. */
export interface Done {
  readonly vector?: Float32Array;
  readonly ms: number;
}

/** What is used of onnxruntime-node; its own types are there only where the optional package is installed. */
interface Runtime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

interface Session {
  run(inputs: object): Promise<{ readonly vector?: { readonly data: unknown } }>;
}

/** Its install script fetches CUDA, which nothing here uses; where that fails, npm leaves the package out without a word. */
const whyMissing = (error: Error) =>
  'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    ? `${RUNTIME} is not installed: run ONNXRUNTIME_NODE_INSTALL=skip npm ci (or npm install) again`
    : `${RUNTIME} cannot be loaded: ${error.message.split('\n', 1)[0]}`;

type TokenIds = Awaited<ReturnType<typeof openTokenIds>>;
type Encode = (task: Task) => Promise<Float32Array>;

/** No literal type: the compiler would look for it. */
const RUNTIME: string = 'onnxruntime-node';

/** One thread a session: further ones would fight with ours for the cores. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' } as const;

await start(String(workerData)).catch((error: Error) => parentPort?.postMessage({ fault: error.message }));

async function start(directory: string): Promise<void> {
  const runtime: Runtime | undefined = await import(RUNTIME).catch((error: Error) => {
    parentPort?.postMessage({ missing: whyMissing(error) });
  });
  if (!runtime) return;
  const [words, model] = await Promise.all(
    ['tokenizer.json', 'model.onnx'].map(name => readFile(join(directory, name))),
  );
  if (!words || !model) return;
  parentPort?.postMessage({ digest: createHash('sha256').update(words).update(model).digest('hex') } satisfies Found);
  const idsOf = await openTokenIds(words).catch(inFile(directory, 'tokenizer.json'));
  const encode = await openModel(model, runtime, idsOf).catch(inFile(directory, 'model.onnx'));
  const answer = async (task: Task): Promise<Done> => {
    const began = performance.now();
    const vector = await encode(task).catch(() => undefined); // the reason could repeat the question
    return { ms: performance.now() - began, ...(vector && { vector }) };
  };
  parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await answer(task)));
  parentPort?.postMessage({ opened: true } satisfies Opened);
}

/** @throws Error for a file that is no model of this kind */
async function openModel(file: Uint8Array, runtime: Runtime, idsOf: TokenIds): Promise<Encode> {
  const session = await runtime.InferenceSession.create(file, OPTIONS);
  const encode: Encode = async ({ text, role }) => {
    const ids = idsOf(text, role);
    const tensor = (values: BigInt64Array) => new runtime.Tensor('int64', values, [1, values.length]);
    const { vector } = await session.run({ ids: tensor(ids), mask: tensor(ids.map(() => 1n)) });
    const numbers = vector?.data;
    if (numbers instanceof Float32Array && isUnit(numbers)) return numbers;
    throw new Error('it does not answer with a vector of length 1');
  };
  await encode({ text: 'a', role: 'question' });
  return encode;
}

function isUnit(vector: Float32Array): boolean {
  return Math.abs(Math.hypot(...vector) - 1) < 0.01;
}

function inFile(directory: string, name: string) {
  return (error: Error): never => {
    throw new Error(`${join(directory, name)}: ${error.message.split('\n', 1)[0]}`);
  };
}
