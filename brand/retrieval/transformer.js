// @ts-check
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** @import { TransformerSource } from './model.ts' */

/** Precisions of a model in the order of preference, and what each adds to the name of its file. */
const SUFFIXES = { q8: '_quantized', fp32: '', fp16: '_fp16', int8: '_int8', uint8: '_uint8', q4: '_q4' };

/** `org/name`, or `org/name@revision` for a model that must not change under its name. */
const HUB_NAME = /^([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?:@([A-Za-z0-9][\w.-]*))?$/;

/** No literal type: the compiler would look for the optional package. @type {string} */
const PACKAGE = '@huggingface/transformers';

/** Longer texts are cut, to bound the cost of a question. */
const MAX_TOKENS = 512;

/**
 * Opens a feature-extraction model with @huggingface/transformers. A text's vector is the mean of its tokens'
 * vectors, brought to length 1.
 * @param {TransformerSource} source
 * @param {() => Promise<any>} load imports the package
 * @returns the files that name the model, its runtime, and what reads a text
 * @throws Error that says what is missing and what to do
 */
export async function openTransformer(source, load = () => import(PACKAGE)) {
  const { model, cacheDirectory } = source;
  const [, name, revision = 'main'] = existsSync(model) ? [] : (HUB_NAME.exec(model) ?? []);
  const cacheDir = join(cacheDirectory, revision);
  const directory = name === undefined ? resolve(model) : join(cacheDir, name);
  /** @param {string} suffix */
  const fileOf = suffix => join(directory, 'onnx', `model${suffix}.onnx`);
  const local = Object.entries(SUFFIXES).find(([, suffix]) => existsSync(fileOf(suffix)));
  const [precision, suffix] = local ?? ['q8', SUFFIXES.q8];
  if (!local && name === undefined)
    throw new Error(`${model}: no such directory with onnx/model.onnx, and no model of the hub (org/name)`);

  const { env, LogLevel, pipeline } = await load().catch(advise);
  env.cacheDir = cacheDir;
  // pipeline() ignores the option `revision` for some files, so it goes into the path.
  env.remotePathTemplate = `{model}/resolve/${revision}/`;
  env.allowRemoteModels = !local;
  // Its log would print questions.
  env.logLevel = LogLevel.NONE;
  const extract = await pipeline('feature-extraction', local ? directory : name, { dtype: precision }).catch(
    (/** @type {any} */ error) => {
      throw new Error(`The model ${model} cannot be opened: ${error.cause?.message ?? error.message}`);
    },
  );
  env.allowRemoteModels = false;
  const { tokenizer } = extract;
  if (!tokenizer) throw new Error(`The model ${model} cannot be used: it has no tokenizer_config.json`);
  extract.tokenizer = (/** @type {string[]} */ texts, /** @type {object} */ options) =>
    tokenizer(texts, { ...options, max_length: MAX_TOKENS });

  /** @param {string} text @returns {Promise<Float32Array>} */
  const read = async text => {
    const { data } = await extract([text], { pooling: 'mean' });
    const length = Math.hypot(...data);
    return Float32Array.from(data, (/** @type {number} */ value) => value / length);
  };
  const files = [fileOf(suffix), join(directory, 'tokenizer.json')].filter(file => existsSync(file));
  return { files, runtime: `${PACKAGE} ${model}`, read };
}

/** @param {any} cause @returns {never} */
function advise(cause) {
  const isMissing = cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(PACKAGE);
  if (!isMissing) throw new Error(`${PACKAGE} cannot be loaded: ${cause.message}`);
  throw new Error(
    `EMBEDDING_MODEL needs the package ${PACKAGE} (470 MB): ONNXRUNTIME_NODE_INSTALL=skip npm ` +
      `install ${PACKAGE}@^4.3.1`,
  );
}
