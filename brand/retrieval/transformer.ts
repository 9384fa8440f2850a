import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Embedder } from './embedder.ts';
import { unit } from './vector.ts';

/** Precisions of a model in the order of preference, and what each adds to the name of its file. */
const SUFFIXES = { q8: '_quantized', fp32: '', fp16: '_fp16', int8: '_int8', uint8: '_uint8', q4: '_q4' };

/** `org/name`, or `org/name@revision` for a model that must not change under its name. */
const HUB_NAME = /^([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?:@([A-Za-z0-9][\w.-]*))?$/;

export const isHubName = (model: string): boolean => HUB_NAME.test(model);

/** The settings EMBEDDING_… of .env.example. */
export interface TransformerSettings {
  readonly model: string;
  readonly cacheDirectory: string;
  readonly download: boolean;
  readonly queryPrefix: string;
  readonly textPrefix: string;
}

/** What is used of @huggingface/transformers; its own types are there only where it is installed. */
export interface Transformers {
  readonly env: Record<string, unknown>;
  readonly LogLevel: { readonly NONE: number };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Pipeline>;
}

export interface Pipeline {
  /** @returns numbers of the shape [texts, dims] */
  (texts: readonly string[], options: { readonly pooling: 'mean' }): Promise<{ readonly data: Float32Array }>;
  /** Absent where the model has no tokenizer_config.json. */
  tokenizer?: (texts: readonly string[], options: object) => unknown;
}

interface Outside {
  readonly note?: (message: string) => void;
  /** Imports the package; tests bring their own. */
  readonly load?: () => Promise<Transformers>;
}

/** No literal type: the compiler would look for it. */
const PACKAGE: string = '@huggingface/transformers';

/** Longer texts are cut off: models have no place for more, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a feature-extraction model with @huggingface/transformers. A text's vector is the mean of its tokens' vectors; blank
 * text has zeros, where the mean of nothing would be NaN.
 * @returns the embedder, and the directory that holds the model's files
 * @throws Error that says what is missing and what to do; from `embed` without the text, which may be personal
 */
export async function loadTransformer(
  { model, cacheDirectory, download, queryPrefix, textPrefix }: TransformerSettings,
  { note = () => {}, load = () => import(PACKAGE) }: Outside = {},
) {
  const [, name, revision = 'main'] = existsSync(model) ? [] : (HUB_NAME.exec(model) ?? []);
  const cacheDir = join(cacheDirectory, revision);
  const directory = name === undefined ? resolve(model) : join(cacheDir, name);
  const fileOf = (suffix: string) => join(directory, 'onnx', `model${suffix}.onnx`);
  const found = Object.entries(SUFFIXES).find(([, suffix]) => existsSync(fileOf(suffix)));
  const isHere = found !== undefined;
  const [dtype] = found ?? ['q8'];
  if (!isHere && name === undefined) throw new Error(`${fileOf(SUFFIXES.q8)}: there is no such file`);
  if (!isHere && !download) {
    throw new Error(
      `${model}: no such directory; as a model of the hub it is fetched with EMBEDDING_DOWNLOAD=1`,
    );
  }
  const { env, LogLevel, pipeline } = await load().catch(advise);
  // Not the option `revision`: pipeline() looks for some files without it. The log would print questions.
  const remotePathTemplate = `{model}/resolve/${revision}/`;
  Object.assign(env, { cacheDir, remotePathTemplate, allowRemoteModels: !isHere, logLevel: LogLevel.NONE });
  if (!isHere) note(`downloading the model ${model}`);
  const extract = await pipeline('feature-extraction', isHere ? directory : `${name}`, { dtype }).catch(
    cause => {
      throw new Error(`The model ${model} cannot be opened: ${reasonOf(cause)}`, { cause });
    },
  );
  env.allowRemoteModels = false;
  const { tokenizer } = extract;
  if (!tokenizer) throw new Error(`The model ${model} cannot be used: it has no tokenizer_config.json`);
  extract.tokenizer = (texts, options) => tokenizer(texts, { ...options, max_length: MAX_TOKENS });
  const { data } = await extract(['a'], { pooling: 'mean' });
  if (!data.every(Number.isFinite)) throw new Error(`${directory}: the model does not answer with numbers`);
  const prefixes = { query: queryPrefix, text: textPrefix };
  const dims = data.length;
  const embed: Embedder['embed'] = (texts, role = 'text') =>
    embedAll(extract, texts, { dims, prefix: prefixes[role] });
  return { embedder: { dims, embed }, directory };
}

/** The install script of onnxruntime-node fetches CUDA, which nothing here needs. */
function advise(cause: Error): never {
  const isMissing =
    'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(PACKAGE);
  const advice = `EMBEDDING_MODEL names a transformer model, which needs the package ${PACKAGE} (470 MB). Install it with
  ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod ${PACKAGE}@^4.3.1`;
  throw new Error(isMissing ? advice : `${PACKAGE} cannot be loaded: ${cause.message}`, { cause });
}

/** fetch says `fetch failed`, and why in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Texts read at once: the event loop stands still meanwhile. */
const BATCH = 16;

async function embedAll(
  extract: Pipeline,
  texts: readonly string[],
  { dims, prefix }: { readonly dims: number; readonly prefix: string },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = texts.map(() => new Float32Array(dims));
  const nonBlank = texts.flatMap((text, at) =>
    text.trim() === '' ? [] : [{ at, text: `${prefix} ${text}`.trim() }],
  );
  for (let start = 0; start < nonBlank.length; start += BATCH) {
    const batch = nonBlank.slice(start, start + BATCH);
    const input = batch.map(({ text }) => text);
    const { data } = await extract(input, { pooling: 'mean' }).catch(() => {
      throw new Error('the embedding model failed on a text');
    });
    batch.forEach(({ at }, place) => {
      const mean = data.subarray(place * dims, (place + 1) * dims);
      if (mean.every(Number.isFinite)) vectors[at] = unit(mean);
    });
  }
  return vectors;
}
