import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Embedder } from './brand.ts';
import { Queue } from './queue.ts';
import { BUNDLED_MODEL, type Parameters, readParameters } from './similarity.ts';

/** The kind of a text. Prefix and longest length depend on it. */
export type Role = 'claim' | 'question';

/** The model to open: the files of a directory, or a model for @huggingface/transformers. */
export type ModelSource = { readonly directory: string } | TransformerSource;

/** The setting EMBEDDING_MODEL. */
export interface TransformerSource {
  /** A directory, or `org/name` of huggingface.co, which is fetched when it is missing. */
  readonly model: string;
  readonly cacheDirectory: string;
}

/** One text for a thread to read. */
export interface ReadingTask {
  readonly source: ModelSource;
  readonly text: string;
  readonly role: Role;
}

/** Facts about an opened model, from its thread. */
export interface OpenedModel {
  readonly digest: string;
  readonly runtime: string;
}

/** The settings of the model. */
interface EmbeddingSettings {
  /** A model for @huggingface/transformers. Absent: the bundled one. */
  readonly model?: string | undefined;
  readonly cacheDirectory: string;
  /** Most threads. All but the first start when work waits. Default: cores minus one, at least one. */
  readonly threads?: number | undefined;
}

/** An embedder, and the parameters that turn its scores into a chance. */
export interface RetrievalModel {
  readonly embedder: Embedder;
  /** Absent if the model is not calibrated. */
  readonly parameters?: Parameters | undefined;
  /** Name of the model, for logs and terminals. */
  readonly answeredBy: string;
}

/** A thread has a second text ready, so that it never waits for work. */
const TASKS_OF_A_THREAD = 2;

/** After this time without work a thread ends, unless it is the last one. */
const IDLE_MS = 10 * 60_000;

/**
 * Opens a model in threads, because its runtime computes synchronously and would block the event loop. It
 * takes 100 MB. The caller closes it: `model.embedder.close()`.
 * @param bundled directory of the bundled model
 * @throws Error that says which file is damaged, or what to install
 * @example const model = await openModel({ cacheDirectory });
 */
export async function openModel(
  { model, cacheDirectory, threads = Math.max(1, availableParallelism() - 1) }: EmbeddingSettings,
  bundled = BUNDLED_MODEL,
): Promise<RetrievalModel> {
  const source: ModelSource = model === undefined ? { directory: bundled } : { model, cacheDirectory };
  // Stops the runtime's telemetry. It reads the process's environment, which a thread cannot set.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: THREAD_MODULE,
    minThreads: 1,
    maxThreads: threads,
    concurrentTasksPerWorker: TASKS_OF_A_THREAD,
    idleTimeout: IDLE_MS,
    execArgv: [],
  });
  let opened: OpenedModel;
  try {
    opened = await pool.run(source, { name: 'open' });
  } catch (error) {
    await pool.destroy();
    throw error;
  }
  const queue = new Queue(
    threads * TASKS_OF_A_THREAD,
    (task: ReadingTask): Promise<Float32Array> => pool.run(task),
  );
  const embedder: Embedder = {
    digest: opened.digest,
    embedQuestion: (text, asker) => queue.addQuestion({ source, text, role: 'question' }, asker),
    embedClaim: text => queue.addClaim({ source, text, role: 'claim' }),
    async close() {
      await queue.close();
      await pool.destroy();
    },
  };
  if (model !== undefined) return { embedder, answeredBy: `${model}, not calibrated` };
  return { embedder, parameters: readParameters(), answeredBy: `the encoder (${opened.runtime})` };
}

/** In a checkout the threads run the file beside this one, else a bundle of it. */
const THREAD_MODULE = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? import.meta.resolve('./encoder-thread.js')
    : import.meta.resolve('#package/dist/brand/retrieval/encoder-thread.js'),
);
