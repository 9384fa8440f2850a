import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Embedder } from './embedder.ts';
import {
  type Download,
  type Encode,
  fetchModel,
  loadPackage,
  openModel,
  type Transformers,
} from './transformers-package.ts';
import { unit } from './vector.ts';

/** Precisions of a model in the order of preference, and what each adds to the name of its file. */
export const DTYPES = ['q8', 'fp32', 'fp16', 'int8', 'uint8', 'q4'] as const;
const SUFFIXES = { q8: '_quantized', fp32: '', fp16: '_fp16', int8: '_int8', uint8: '_uint8', q4: '_q4' };

/** `org/name`, or `org/name@revision` for a model that must not change under its name. */
const HUB_NAME = /^([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?:@([A-Za-z0-9][\w.-]*))?$/;

const HUB = 'https://huggingface.co';

export const isHubName = (model: string): boolean => HUB_NAME.test(model);

export interface TransformerSettings {
  /** A directory, or a name of the hub. */
  readonly model: string;
  /** Where models of the hub stay, as REVISION/org/name. */
  readonly cacheDirectory: string;
  /** Whether the network may be used for what is not there yet. */
  readonly download: boolean;
  /** Default: the first of DTYPES that the model has. */
  readonly dtype: keyof typeof SUFFIXES | undefined;
  /** Stand before a question and before any other text, with a space; models of the e5 family want `query:` and `passage:`. */
  readonly queryPrefix: string;
  readonly textPrefix: string;
}

/** What tests bring of their own; `load` imports the package. */
type Outside = Partial<Pick<Download, 'note' | 'hub' | 'stallMs'>> & { load?: () => Promise<Transformers> };

/** Texts read at once: the event loop stands still meanwhile. */
const BATCH = 16;

/**
 * Loads a feature-extraction model with @huggingface/transformers. A text's vector is the mean of its tokens' vectors; blank
 * text has zeros, where the mean of nothing would be NaN.
 * @returns the embedder, and the directory that holds the model's files
 * @throws Error that says what is missing and what to do; from `embed` without the text, which may be personal
 */
export async function loadTransformer(settings: TransformerSettings, outside: Outside = {}) {
  const { directory, encode } = await open(settings, outside);
  const [tried] = await encode(['a']);
  if (!tried?.every(Number.isFinite)) throw new Error(`${directory}: the model does not answer with numbers`);
  const { queryPrefix, textPrefix } = settings;
  const embedder: Embedder = {
    dims: tried.length,
    embed: (texts, role) =>
      embedAll(encode, texts, { dims: tried.length, prefix: role === 'query' ? queryPrefix : textPrefix }),
  };
  return { embedder, directory };
}

/** What is whole is used without a request. */
async function open(settings: TransformerSettings, { load, hub = HUB, note = () => {}, stallMs = 20_000 }: Outside) {
  const { model, cacheDirectory, download, dtype } = settings;
  const [, name, revision = 'main'] = existsSync(model) ? [] : (HUB_NAME.exec(model) ?? []);
  const directory = name === undefined ? resolve(model) : join(cacheDirectory, revision, name);
  const weights = Object.fromEntries(
    (dtype ? [dtype] : DTYPES).map(name => [name, `onnx/model${SUFFIXES[name]}.onnx`]),
  );
  const missing = missingIn(directory, weights);
  if (missing && name === undefined) throw new Error(`${directory}: holds no ${missing}`);
  if (missing && !download)
    throw new Error(`${model}: no such directory; as a model of ${hub} it is fetched with EMBEDDING_DOWNLOAD=1`);
  const transformers = await loadPackage(load);
  if (missing && name !== undefined) {
    const cacheDir = join(cacheDirectory, revision);
    await fetchModel(transformers, { name, revision, weights, cacheDir, hub, stallMs, note });
    const absent = missingIn(directory, weights);
    if (absent) throw new Error(`The model ${model} cannot be used: the hub has no ${absent} of it`);
  }
  const [here = ''] = Object.entries(weights).find(([, file]) => existsSync(join(directory, file))) ?? [];
  return { directory, encode: await openModel(transformers, directory, here) };
}

/** What a model's directory lacks. */
function missingIn(directory: string, weights: Readonly<Record<string, string>>): string | undefined {
  const isHere = (file: string) => existsSync(join(directory, file));
  const small = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].find(file => !isHere(file));
  return small ?? (Object.values(weights).some(isHere) ? undefined : Object.values(weights).join(', '));
}

async function embedAll(
  encode: Encode,
  texts: readonly string[],
  { dims, prefix }: { readonly dims: number; readonly prefix: string },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = texts.map(() => new Float32Array(dims));
  const said = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, text: `${prefix} ${text}`.trim() }]));
  for (let start = 0; start < said.length; start += BATCH) {
    const batch = said.slice(start, start + BATCH);
    const means = await encode(batch.map(({ text }) => text)).catch(() => {
      throw new Error('the embedding model failed on a text');
    });
    batch.forEach(({ at }, place) => {
      const mean = means[place];
      if (mean?.every(Number.isFinite)) vectors[at] = unit(mean);
    });
  }
  return vectors;
}
