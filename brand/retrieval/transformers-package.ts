/** What is used of @huggingface/transformers; its own types are there only where it is installed. */
export interface Transformers {
  readonly env: Record<string, unknown>;
  readonly LogLevel: { readonly NONE: number };
  readonly ModelRegistry: { get_file_metadata(model: string, file: string): Promise<{ readonly exists: boolean }> };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Pipeline>;
}

export interface Pipeline {
  /** @returns numbers of the shape [texts, dims] */
  (texts: readonly string[], options: { readonly pooling: 'mean' }): Promise<{ readonly data: Float32Array }>;
  /** Absent where the model has no tokenizer_config.json. */
  tokenizer?: (texts: readonly string[], options: object) => unknown;
}

/** No literal type: the compiler would look for it. */
const PACKAGE: string = '@huggingface/transformers';

/**
 * Imports the package, set to use neither network nor console.
 * @throws Error that says how to install it, or why it cannot be loaded
 */
export async function loadPackage(load = (): Promise<Transformers> => import(PACKAGE)): Promise<Transformers> {
  const transformers = await load().catch(advise);
  transformers.env.allowRemoteModels = false; // the option `local_files_only` still asks the hub
  transformers.env.logLevel = transformers.LogLevel.NONE; // after an error it prints what it was given: a question
  return transformers;
}

/** The install script of onnxruntime-node fetches CUDA, which nothing here needs. Without --save-prod npm installs no optional peer. */
function advise(cause: Error): never {
  const isMissing = 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(PACKAGE);
  const advice = `EMBEDDING_MODEL names a transformer model, which needs the package ${PACKAGE} (470 MB). Install it with
  ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod ${PACKAGE}@^4.3.1
and, for npm 12 and newer, "allowScripts": { "onnxruntime-node": false } in package.json.`;
  throw new Error(isMissing ? advice : `${PACKAGE} cannot be loaded: ${cause.message}`, { cause });
}

export interface Download {
  readonly hub: string;
  /** `org/name` on the hub. */
  readonly name: string;
  readonly revision: string;
  /** Files that may hold the weights: the first that the hub has is taken. */
  readonly weights: readonly { readonly dtype: string; readonly file: string }[];
  readonly cacheDir: string;
  /** Milliseconds without a byte, after which the hub is given up; fetch itself waits for 300 s. */
  readonly stallMs: number;
  /** Told, in a sentence, what an operator waits for. */
  readonly note: (message: string) => void;
}

/**
 * Opens a model of the hub by way of the cache, where each file appears once it is whole.
 * @throws Error with the address and the reason
 */
export async function fetchModel(
  { env, pipeline, ModelRegistry }: Transformers,
  download: Download,
): Promise<Pipeline> {
  const { hub, name, revision, weights, cacheDir, stallMs, note } = download;
  const { Agent } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: stallMs, bodyTimeout: stallMs });
  const withTimeouts = (init: object): object => ({ ...init, dispatcher });
  env.fetch = (address: string, init: object) => fetch(address, withTimeouts(init));
  // Not the option `revision`: pipeline() looks for some files without it.
  Object.assign(env, { cacheDir, remoteHost: hub, remotePathTemplate: `{model}/resolve/${revision}/` });
  env.allowRemoteModels = true;
  note(`downloading the model ${name} from ${hub}`);
  try {
    const has = async (file: string) => (await ModelRegistry.get_file_metadata(name, file)).exists;
    const found = await Promise.all(weights.map(({ file }) => has(file)));
    const { dtype, file } = weights[found.indexOf(true)] ?? {};
    if (!file) throw new Error(`the hub has none of ${weights.map(({ file }) => file).join(', ')} of it`);
    const use_external_data_format = (await has(`${file}_data`)) || null; // where the weights of a large model are
    const progress_callback = everyTenth((loaded, total) => note(`${name}: ${loaded} of ${total} MB`));
    return await pipeline('feature-extraction', name, { dtype, use_external_data_format, progress_callback });
  } catch (cause) {
    const reason = reasonOf(cause).replace(/^\w+ Timeout Error$/, `nothing came for ${stallMs / 1000} s`);
    throw new Error(`The model ${name} cannot be downloaded: ${reason}`, { cause });
  } finally {
    env.allowRemoteModels = false;
    await dispatcher.destroy(); // what else was under way
  }
}

/** Percentage and bytes, of all files together where the status is `progress_total`. */
type Progress = Record<'progress' | 'loaded' | 'total', number> & { status: string };

function everyTenth(report: (loadedMb: string, totalMb: string) => void) {
  let reported = 0;
  return ({ status, progress, loaded, total }: Progress): void => {
    if (status !== 'progress_total' || progress < reported + 10) return;
    reported = progress;
    report((loaded / 1e6).toFixed(1), (total / 1e6).toFixed(1));
  };
}

/** fetch says `fetch failed`, and why in the cause; the hub answers 401 for a model that does not exist. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, address] = /"(https?:[^"]+)"/.exec(error.message) ?? [];
  if (error.name === 'ModelFileNotFoundError' && address) return `${address}: it does not exist, or it is not public`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
