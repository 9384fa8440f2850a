import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Embedder } from './embedder.ts';
import {
  type Download,
  fetchModel,
  loadPackage,
  type Pipeline,
  reasonOf,
  type Transformers,
} from './transformers-package.ts';
import { unit } from './vector.ts';

/** Precisions of a model in the order of preference, and what each adds to the name of its file. */
export const DTYPES = ['q8', 'fp32', 'fp16', 'int8', 'uint8', 'q4'] as const;
const SUFFIXES = { q8: '_quantized', fp32: '', fp16: '_fp16', int8: '_int8', uint8: '_uint8', q4: '_q4' };

/** `org/name`, or `org/name@revision` for a model that must not change under its name. */
const HUB_NAME = /^([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?:@([A-Za-z0-9][\w.-]*))?$/;

export const isHubName = (model: string): boolean => HUB_NAME.test(model);

/** The settings EMBEDDING_… of docs/configuration.md. */
export interface TransformerSettings {
  readonly model: string;
  readonly cacheDirectory: string;
  readonly download: boolean;
  readonly dtype: keyof typeof SUFFIXES | undefined;
  readonly queryPrefix: string;
  readonly textPrefix: string;
}

/** What tests bring of their own; `load` imports the package. */
type Outside = Partial<Pick<Download, 'note' | 'hub' | 'stallMs'>> & { load?: () => Promise<Transformers> };

/** Longer texts are cut off: models have no place for more, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a feature-extraction model with @huggingface/transformers. A text's vector is the mean of its tokens' vectors; blank
 * text has zeros, where the mean of nothing would be NaN.
 * @returns the embedder, and the directory that holds the model's files
 * @throws Error that says what is missing and what to do; from `embed` without the text, which may be personal
 */
export async function loadTransformer(settings: TransformerSettings, outside: Outside = {}) {
  const { directory, extract } = await open(settings, outside);
  const { tokenizer } = extract;
  if (!tokenizer)
    throw new Error(`The model ${settings.model} cannot be used: the hub has no tokenizer_config.json of it`);
  extract.tokenizer = (texts, options) => tokenizer(texts, { ...options, max_length: MAX_TOKENS });
  const { data } = await extract(['a'], { pooling: 'mean' });
  if (!data.every(Number.isFinite)) throw new Error(`${directory}: the model does not answer with numbers`);
  const prefixes = { query: settings.queryPrefix, text: settings.textPrefix };
  const embedder: Embedder = {
    dims: data.length,
    embed: (texts, role = 'text') => embedAll(extract, texts, { dims: data.length, prefix: prefixes[role] }),
  };
  return { embedder, directory };
}

const HUB = 'https://huggingface.co';

/** What is whole is used without a request. */
async function open(settings: TransformerSettings, { load, hub = HUB, note = () => {}, stallMs = 20_000 }: Outside) {
  const { model, cacheDirectory, dtype } = settings;
  const [, name, revision = 'main'] = existsSync(model) ? [] : (HUB_NAME.exec(model) ?? []);
  const cacheDir = join(cacheDirectory, revision);
  const directory = name === undefined ? resolve(model) : join(cacheDir, name);
  const weights = (dtype ? [dtype] : DTYPES).map(dtype => ({ dtype, file: `onnx/model${SUFFIXES[dtype]}.onnx` }));
  const here = weights.find(({ file }) => existsSync(join(directory, file)));
  const missing = SMALL_FILES.find(file => !existsSync(join(directory, file)));
  if (here && !missing)
    return { directory, extract: await openDirectory(await loadPackage(load), directory, here.dtype) };
  if (name === undefined)
    throw new Error(`${directory}: holds no ${missing ?? weights.map(({ file }) => file).join(', ')}`);
  if (!settings.download)
    throw new Error(`${model}: no such directory; as a model of ${hub} it is fetched with EMBEDDING_DOWNLOAD=1`);
  const download = { hub, name, revision, weights, cacheDir, stallMs, note };
  return { directory, extract: await fetchModel(await loadPackage(load), download) };
}

const SMALL_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

async function openDirectory({ pipeline }: Transformers, directory: string, dtype: string): Promise<Pipeline> {
  return pipeline('feature-extraction', directory, { dtype }).catch(cause => {
    const reason = `${reasonOf(cause)}; a file that is unfinished or damaged must be fetched again`;
    throw new Error(`${directory}: ${reason}`, { cause });
  });
}

/** Texts read at once: the event loop stands still meanwhile. */
const BATCH = 16;

async function embedAll(
  extract: Pipeline,
  texts: readonly string[],
  { dims, prefix }: { readonly dims: number; readonly prefix: string },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = texts.map(() => new Float32Array(dims));
  const nonBlank = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, text: `${prefix} ${text}`.trim() }]));
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
