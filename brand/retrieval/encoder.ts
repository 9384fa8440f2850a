import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Asker, Embedder } from './brand.ts';
import { Queue } from './queue.ts';

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

/** The answer of a thread that was told to open a model. */
export type OpenedModel = { readonly digest: string; readonly runtime: string } | { readonly fault: string };

/** One text for a thread to read. */
export interface ReadingTask {
  readonly source: ModelSource;
  readonly text: string;
  readonly role: Role;
}

interface EncoderOptions {
  /**
   * Most threads. Each but the first starts when work waits for it. Default: cores minus one, at least one.
   */
  readonly threads?: number | undefined;
  /** The module that threads run; tests pass their own. */
  readonly module?: string;
}

/** A thread begins the second text at once when the first is done. */
const TASKS_OF_A_THREAD = 2;

/** After this time without work a thread ends, unless it is the last one. */
const IDLE_MS = 10 * 60_000;

/**
 * Opens a model in threads, because its runtime computes synchronously and would stop the event loop.
 * @returns the embedder, and the name and version of its runtime
 * @throws Error that says which file is damaged, or what to install
 * @example const { embedder } = await openEncoder({ directory: BUNDLED_MODEL });
 */
export async function openEncoder(
  source: ModelSource,
  { threads = Math.max(1, availableParallelism() - 1), module = THREAD_MODULE }: EncoderOptions = {},
): Promise<{ embedder: Embedder; runtime: string }> {
  // The runtime sends telemetry otherwise. It reads the process's environment, which a thread cannot set.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: module,
    minThreads: 1,
    maxThreads: threads,
    concurrentTasksPerWorker: TASKS_OF_A_THREAD,
    idleTimeout: IDLE_MS,
    execArgv: [],
  });
  const opened: OpenedModel = await pool.run(source, { name: 'open' });
  if ('fault' in opened) {
    await pool.destroy();
    throw new Error(opened.fault);
  }
  const queue = new Queue(
    threads * TASKS_OF_A_THREAD,
    (task: ReadingTask): Promise<Float32Array> => pool.run(task),
  );
  const embedder: Embedder = {
    digest: opened.digest,
    embedQuestion: (text: string, asker?: Asker) =>
      queue.addQuestion({ source, text, role: 'question' }, asker),
    embedClaim: (text: string) => queue.addClaim({ source, text, role: 'claim' }),
    close: () => queue.close(),
  };
  return { embedder, runtime: opened.runtime };
}

/** In a checkout the threads run the file beside this one, else a bundle of it. */
const THREAD_MODULE = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? import.meta.resolve('./encoder-thread.js')
    : import.meta.resolve('#package/dist/brand/retrieval/encoder-thread.js'),
);
