import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Embedder } from './embedder.ts';
import { type Encoder, loadEncoder, type Transformers } from './transformer-encoder.ts';
import { unit } from './vector.ts';

/** Precisions of a model in the order of preference, each with its file in the model's `onnx` directory. */
export const ONNX_FILES = {
  q8: 'model_quantized.onnx',
  fp32: 'model.onnx',
  fp16: 'model_fp16.onnx',
  int8: 'model_int8.onnx',
  uint8: 'model_uint8.onnx',
  q4: 'model_q4.onnx',
} as const;

export type Dtype = keyof typeof ONNX_FILES;

export const DTYPES = Object.keys(ONNX_FILES) as [Dtype, ...Dtype[]];

export interface TransformerOptions {
  /** Default: the first of `ONNX_FILES` that is there. */
  readonly dtype?: Dtype | undefined;
  /** Stands before every question, with a space; models of the e5 family want `query:`. */
  readonly queryPrefix?: string;
  /** Stands before every other text; models of the e5 family want `passage:`. */
  readonly textPrefix?: string;
  /** Imports the optional package; tests bring one that fails. */
  readonly load?: () => Promise<Transformers>;
}

/** Texts read at once: the event loop stands still meanwhile. */
const BATCH = 16;

/**
 * Loads a feature-extraction model from a directory of config.json, tokenizer.json, tokenizer_config.json and onnx/. No network.
 * A text's vector is the mean of its tokens' vectors; blank text has zeros, where the mean of nothing would be NaN.
 * @throws Error that says what is missing or why the model cannot be run; from `embed` without the text, which may be personal
 */
export async function loadTransformerEmbedder(model: string, options: TransformerOptions = {}): Promise<Embedder> {
  const { queryPrefix = '', textPrefix = '', load } = options;
  const directory = resolve(model);
  const dtype = options.dtype ?? findDtype(directory);
  const { encode, dims } = await loadTried(directory, { dtype, load });
  return {
    dims,
    embed: (texts, role) => embedAll(encode, texts, { dims, prefix: role === 'query' ? queryPrefix : textPrefix }),
  };
}

function findDtype(directory: string): Dtype {
  const found = DTYPES.find(dtype => existsSync(join(directory, 'onnx', ONNX_FILES[dtype])));
  if (found) return found;
  throw new Error(`${join(directory, 'onnx')}: holds none of ${Object.values(ONNX_FILES).join(', ')}`);
}

/** A model that cannot be run is found at start. */
async function loadTried(directory: string, options: Parameters<typeof loadEncoder>[1]) {
  const encode = await loadEncoder(directory, options);
  const [vector] = await encode(['a']);
  if (!vector?.every(Number.isFinite)) throw new Error(`${directory}: the model does not answer with numbers`);
  return { encode, dims: vector.length };
}

interface Reading {
  readonly dims: number;
  readonly prefix: string;
}

async function embedAll(encode: Encoder, texts: readonly string[], { dims, prefix }: Reading): Promise<Float32Array[]> {
  const vectors: Float32Array[] = texts.map(() => new Float32Array(dims));
  const told = texts.flatMap((text, index) =>
    text.trim() === '' ? [] : [{ index, text: `${prefix} ${text}`.trim() }],
  );
  for (let start = 0; start < told.length; start += BATCH) {
    const batch = told.slice(start, start + BATCH);
    const means = await encode(batch.map(({ text }) => text)).catch(() => {
      throw new Error('the embedding model failed on a text');
    });
    batch.forEach(({ index }, at) => {
      const mean = means[at];
      if (mean?.every(Number.isFinite)) vectors[index] = unit(mean);
    });
  }
  return vectors;
}
