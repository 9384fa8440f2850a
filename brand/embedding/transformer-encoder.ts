/** The mean of the vectors of each text's tokens, one a text; zeros for a text without tokens. */
export type Encoder = (texts: readonly string[]) => Promise<Float32Array[]>;

/** What is used of the package; its own types are there only where it is installed. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; useFSCache: boolean; logLevel: number };
  readonly LogLevel: { readonly NONE: number };
  readonly AutoTokenizer: { from_pretrained(directory: string): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(directory: string, options: { dtype: string }): Promise<Model> };
}

/** Numbers of any shape, the last dimension next to each other. */
interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

type Tokenizer = (texts: readonly string[], options: object) => { readonly attention_mask: Tensor };
type Model = (inputs: object) => Promise<{ readonly last_hidden_state?: Tensor; readonly token_embeddings?: Tensor }>;

interface Options {
  readonly dtype: string;
  /** Imports the package. */
  readonly load?: (() => Promise<Transformers>) | undefined;
}

const PACKAGE = '@huggingface/transformers';

/** Longer texts are cut off: models have no place for more, and a question must not cost what its sender pleases. */
const MAX_TOKENS = 512;

/**
 * Loads a model directory with @huggingface/transformers, an optional package. No network.
 * @throws Error that says how to install the package, or why the model cannot be loaded
 */
export async function loadEncoder(directory: string, { dtype, load = importPackage }: Options): Promise<Encoder> {
  const { env, LogLevel, AutoTokenizer, AutoModel } = await load().catch(advise);
  env.allowRemoteModels = false; // the package's `local_files_only` still asks the hub
  env.useFSCache = false; // it lies inside node_modules
  env.logLevel = LogLevel.NONE; // after an error it prints what it was given: a question
  const [tokenize, run] = await Promise.all([
    AutoTokenizer.from_pretrained(directory),
    AutoModel.from_pretrained(directory, { dtype }),
  ]);
  return async texts => {
    const inputs = tokenize(texts, { padding: true, truncation: true, max_length: MAX_TOKENS });
    const { last_hidden_state, token_embeddings } = await run(inputs);
    const vectors = last_hidden_state ?? token_embeddings;
    if (!vectors) throw new Error('not a feature-extraction model: no output is called last_hidden_state');
    return texts.map((_, index) => meanOf(vectors, inputs.attention_mask, index));
  };
}

async function importPackage(): Promise<Transformers> {
  const name: string = PACKAGE; // not a literal: the compiler would look for it
  return import(name);
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

/** Of one text in a batch: vectors [texts, tokens, dims], mask [texts, tokens] with 0 for padding. */
function meanOf({ dims: [, tokens = 0, dims = 0], data }: Tensor, mask: Tensor, text: number): Float32Array {
  const sum = new Float32Array(dims);
  let count = 0;
  for (let token = text * tokens; token < (text + 1) * tokens; token += 1) {
    if (Number(mask.data[token]) === 0) continue;
    count += 1;
    for (let i = 0; i < dims; i += 1) sum[i]! += Number(data[token * dims + i]);
  }
  return sum.map(value => value / Math.max(count, 1));
}
