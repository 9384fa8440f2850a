/** What is used of @huggingface/transformers; its own types are there only where it is installed. */
export interface Transformers {
  readonly env: Record<string, unknown>;
  readonly LogLevel: { readonly NONE: number };
  readonly ModelRegistry: { get_file_metadata(model: string, file: string): Promise<{ readonly exists: boolean }> };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Pipeline>;
}

interface Pipeline {
  /** @returns numbers of the shape [texts, dims] */
  (texts: readonly string[], options: { readonly pooling: 'mean' }): Promise<{ readonly data: Float32Array }>;
  tokenizer: (texts: readonly string[], options: object) => unknown;
  dispose(): Promise<unknown>;
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

/**
 * The package brings onnxruntime-node, whose install script fetches CUDA libraries: it fails where they cannot be had, and nothing
 * here needs them. Without --save-prod npm keeps an optional peer and installs nothing.
 */
function advise(cause: Error): never {
  const isMissing = 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(PACKAGE);
  if (!isMissing) throw new Error(`${PACKAGE} cannot be loaded: ${cause.message}`, { cause });
  throw new Error(
    `EMBEDDING_MODEL names a transformer model, which needs the package ${PACKAGE} (470 MB). Install it with
  ONNXRUNTIME_NODE_INSTALL=skip npm install --save-prod ${PACKAGE}@^4.3.1
and, for npm 12 and newer, "allowScripts": { "onnxruntime-node": false } in package.json.`,
    { cause },
  );
}

/** Longer texts are cut off: models have no place for more, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/** The mean of the vectors of each text's tokens, one a text. */
export type Encode = (texts: readonly string[]) => Promise<Float32Array[]>;

/** @param dtype precision of the weights @throws Error that says why a model's directory cannot be used */
export async function openModel({ pipeline }: Transformers, directory: string, dtype: string): Promise<Encode> {
  const extract = await pipeline('feature-extraction', directory, { dtype }).catch(cause => {
    throw new Error(`${directory}: ${reasonOf(cause)}; a file that is unfinished or damaged must be fetched again`, {
      cause,
    });
  });
  const { tokenizer } = extract;
  extract.tokenizer = (texts, options) => tokenizer(texts, { ...options, max_length: MAX_TOKENS });
  return async texts => {
    const { data } = await extract(texts, { pooling: 'mean' });
    const dims = data.length / texts.length;
    return texts.map((_, at) => data.slice(at * dims, (at + 1) * dims));
  };
}

export interface Download {
  /** `org/name` on the hub. */
  readonly name: string;
  readonly revision: string;
  /** Files that may hold the weights, by their precision: the first that the hub has is taken. */
  readonly weights: Readonly<Record<string, string>>;
  readonly cacheDir: string;
  readonly hub: string;
  /** Milliseconds without a byte, after which the hub is given up; fetch itself waits for 300 s. */
  readonly stallMs: number;
  /** Told, in a sentence, what an operator waits for. */
  readonly note: (message: string) => void;
}

/** Percentage and bytes, of all files together where the status is `progress_total`. */
type Progress = Record<'progress' | 'loaded' | 'total', number> & { status: string };

/**
 * Puts into the cache what it lacks of a model; each file appears there once it is whole.
 * @throws Error with the address and the reason
 */
export async function fetchModel({ env, pipeline, ModelRegistry }: Transformers, download: Download): Promise<void> {
  const { name, revision, weights, cacheDir, hub, stallMs, note } = download;
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(new Error(`nothing came for ${stallMs / 1000} s`)), stallMs);
  let noted = 0;
  const progress_callback = ({ status, progress, loaded, total }: Progress) => {
    timer.refresh();
    if (status !== 'progress_total' || progress < noted + 10) return;
    noted = progress;
    note(`${name}: ${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`);
  };
  // Not the option `revision`: pipeline() looks for some files without it.
  Object.assign(env, { cacheDir, remoteHost: hub, remotePathTemplate: `{model}/resolve/${revision}/` });
  env.fetch = (address: string, init?: RequestInit) => fetch(address, { ...init, signal: stall.signal });
  env.allowRemoteModels = true;
  note(`downloading the model ${name} from ${hub}`);
  try {
    const has = async (file = '') => (await ModelRegistry.get_file_metadata(name, file)).exists;
    const found = await Promise.all(Object.values(weights).map(has));
    const [dtype, file] = Object.entries(weights).find((_, at) => found[at]) ?? [];
    if (!file) throw new Error(`the hub has none of ${Object.values(weights).join(', ')} of it`);
    const use_external_data_format = (await has(`${file}_data`)) || null; // where the weights of a large model are
    const fetched = await pipeline('feature-extraction', name, { dtype, use_external_data_format, progress_callback });
    await fetched.dispose();
  } catch (cause) {
    throw new Error(`The model ${name} cannot be downloaded: ${reasonOf(stall.signal.reason ?? cause)}`, { cause });
  } finally {
    env.allowRemoteModels = false;
    clearTimeout(timer);
    stall.abort(); // what else was under way
  }
}

/** fetch says `fetch failed`, and why in the cause; the hub answers 401 for a model that does not exist. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, address] = /"(https?:[^"]+)"/.exec(error.message) ?? [];
  if (error.name === 'ModelFileNotFoundError' && address) return `${address}: it does not exist, or it is not public`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
