import { fileURLToPath } from 'node:url';
import { keptOrMade, keyOf, type ReadingOptions } from './kept-vectors.ts';
import { type Asker, createLine } from './line.ts';

/**
 * The port between retrieval and a model that reads a text as a whole (model/encoder/README.md). It reads in threads of its own:
 * onnxruntime-node computes synchronously, and would stop the event loop.
 */
export interface Encoder {
  /** Names the model's files: only vectors of one digest can be compared. */
  readonly digest: string;
  /**
   * The unit vector of a question.
   * @throws NoPlace where too many questions wait, the signal's reason, Error where the model fails
   */
  ask(question: string, asker?: Asker): Promise<Float32Array>;
  /**
   * The unit vector of a claim, read while no question waits.
   * @throws Error where the model fails
   */
  read(claim: string): Promise<Float32Array>;
  /** Reads no more, and resolves once nothing is being read. */
  close(): Promise<void>;
}

/** What a thread reads. */
export interface Task {
  readonly directory: string;
  readonly text: string;
  readonly role: 'claim' | 'question';
}

/** The digest of the model's files. `missing`: onnxruntime-node cannot be loaded here. */
export type Found = { readonly digest: string } | { readonly missing: string };

/** onnxruntime-node cannot be loaded on this machine. */
export class RuntimeMissing extends Error {}

interface EncoderOptions {
  /** The most threads; each but the first starts when work waits for it. */
  readonly threads: number;
  /** The module that threads run; tests bring their own. */
  readonly thread?: string;
}

const RUNTIME = 'onnxruntime-node';

/** Texts in a thread's hands: it begins the second at once when the first is done. */
const IN_HAND = 2;

/** Questions that may wait for each thread: about half a second of them. */
const WAITING = 100;

/** Characters of a usual question, with room. */
const USUAL = 100;

/** After which a thread that is not the only one gives its memory back. */
const IDLE_MS = 10 * 60_000;

/**
 * Threads that read texts with the model of a directory.
 * @throws RuntimeMissing; Error that says which file is damaged
 */
export async function openEncoder(
  directory: string,
  { threads, thread = THREAD }: EncoderOptions,
): Promise<Encoder> {
  if (thread === THREAD) requireRuntime();
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: thread,
    ...{
      minThreads: 1,
      maxThreads: threads,
      concurrentTasksPerWorker: IN_HAND,
      idleTimeout: IDLE_MS,
      execArgv: [],
    },
  });
  const found: Found = await pool.run(directory, { name: 'open' });
  if ('missing' in found) {
    await pool.destroy();
    throw new RuntimeMissing(found.missing);
  }
  const options = {
    places: threads * IN_HAND,
    waitingEach: WAITING / IN_HAND,
    sizeOf: ({ text }: Task) => Math.ceil(text.length / USUAL),
  };
  const line = createLine(options, (task): Promise<Float32Array> => pool.run(task));
  return {
    digest: found.digest,
    ask: (text, asker) => line.ask({ directory, role: 'question', text }, asker),
    read: text => line.add({ directory, role: 'claim', text }),
    close: line.close,
  };
}

/** Its install script fetches CUDA, which nothing here uses; where that fails, npm leaves the package out without a word. */
function requireRuntime(): void {
  try {
    import.meta.resolve(RUNTIME);
  } catch {
    throw new RuntimeMissing(
      `${RUNTIME} is not installed: run ONNXRUNTIME_NODE_INSTALL=skip npm ci (or npm install) again`,
    );
  }
}

/** In a checkout the threads run the file beside this one, else a bundle of it. */
const THREAD = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? import.meta.resolve('./encoder-thread.js')
    : import.meta.resolve('#package/dist/brand/retrieval/encoder-thread.js'),
);

/**
 * The vectors of claims, in order. Only those that are not kept are computed.
 * @throws Error where the model fails
 */
export function readClaims(
  encoder: Encoder,
  texts: readonly string[],
  options: ReadingOptions,
): Promise<Float32Array[]> {
  const keys = texts.map(text => keyOf(`${encoder.digest}\n${text}`));
  const read = async (at: number, done: () => void) => {
    const vector = await encoder.read(texts[at]!);
    done();
    return vector;
  };
  return keptOrMade(keys, (missing, done) => Promise.all(missing.map(at => read(at, done))), options);
}
