import { Worker } from 'node:worker_threads';
import { type Encoder, EncoderBusy } from './encoder.ts';
import { createFairQueue } from './fair-queue.ts';
import type { Done, Found, Opened, Task } from './thread.ts';

export interface PoolOptions {
  /** The most threads; each but the first starts when work waits for it. */
  readonly threads: number;
  /** Told, in a sentence, when a thread has ended. */
  readonly note: (message: string) => void;
  /** Questions that may wait for each thread. */
  readonly mostWaiting?: number;
  /** Tests bring threads that end. */
  readonly start?: (directory: string) => Worker;
}

interface Job extends Task {
  readonly client: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
  /** The thread that read it has ended once. */
  retried: boolean;
}

/** onnxruntime-node cannot be loaded on this machine. */
export class RuntimeMissing extends Error {}

/** About two seconds of questions. */
const MOST_WAITING = 200;

/** Time of a question before any has been measured. */
const USUAL_MS = 10;

/**
 * Threads that read texts with the model of a directory. Questions come before other texts. A thread that ends is started again, and
 * its text is read again once. Idle threads do not keep the process alive.
 * @throws RuntimeMissing; Error that says which file is at fault and why
 */
export async function openPool(directory: string, options: PoolOptions): Promise<Encoder> {
  const { threads, note, mostWaiting = MOST_WAITING, start = startThread } = options;
  const questions = createFairQueue<Job>(mostWaiting * threads);
  const others: Job[] = [];
  const idle = new Set<(job: Job) => void>();
  let seats = 0;
  let isOpen = false;
  let usualMs = USUAL_MS;

  let alarm: NodeJS.Timeout | undefined;

  const handOut = () => {
    for (const give of idle) {
      const job = questions.next() ?? others.shift();
      if (!job) return handOutLater();
      idle.delete(give);
      give(job);
    }
    const canGrow = isOpen ? seats < threads : seats === 0;
    if (canGrow && questions.waiting + others.length > 0) seat().catch(refuseAll);
  };

  /** Where all clients that wait also rest. */
  const handOutLater = () => {
    const restMs = questions.restMs();
    clearTimeout(alarm);
    if (restMs !== undefined) alarm = setTimeout(handOut, Math.ceil(restMs));
  };

  /** Starts a thread. @returns the digest of its files; the thread takes texts once its model is open */
  const seat = async (): Promise<string> => {
    seats += 1;
    const worker = start(directory);
    const leave = (error: Error) => {
      seats -= 1;
      throw error;
    };
    const digest = await digestOf(worker).catch(leave);
    openingOf(worker)
      .catch(leave)
      .then(() => work(worker))
      .catch(refuseAll);
    return digest;
  };

  const work = (worker: Worker) => {
    isOpen = true;
    let job: Job | undefined;
    const give = (next: Job) => {
      job = next;
      worker.ref();
      worker.postMessage({ text: next.text, role: next.role } satisfies Task);
    };
    const rest = () => {
      job = undefined;
      worker.unref();
      idle.add(give);
      handOut();
    };
    worker.on('message', ({ vector, ms }: Done) => {
      if (job?.role === 'question') {
        questions.charge(job.client, ms);
        usualMs += (ms - usualMs) / 10;
      }
      for (const one of sharing(job)) {
        if (vector) one.resolve(vector);
        else one.reject(new Error('the encoder failed on a text'));
      }
      rest();
    });
    worker.on('exit', () => {
      seats -= 1;
      idle.delete(give);
      note('a thread of the encoder has ended; another takes its place');
      if (job) readAgain(job);
      seat().catch(refuseAll);
    });
    rest();
  };

  /** A text that several clients ask is read once, at the turn of the first of them. */
  const sharing = (job: Job | undefined): Job[] => {
    if (job === undefined) return [];
    return job.role === 'claim' ? [job] : [job, ...questions.remove(({ text }) => text === job.text)];
  };

  const readAgain = (job: Job) => {
    if (job.retried) job.reject(new Error('the encoder ended twice over a text'));
    else if (job.role === 'claim') others.unshift({ ...job, retried: true });
    else questions.add(job.client, { ...job, retried: true });
  };

  /** A later question tries to start a thread again. */
  const refuseAll = (error: Error) => {
    note(`the encoder cannot be started again: ${error.message}`);
    if (seats > 0) return;
    for (const job of [...questions.remove(() => true), ...others.splice(0)]) job.reject(error);
  };

  const digest = await seat();
  return {
    digest,
    ask: (text, client) =>
      new Promise((resolve, reject) => {
        const job: Job = { text, role: 'question', client, resolve, reject, retried: false };
        const waitSeconds = () => Math.max(1, Math.ceil((questions.waiting * usualMs) / threads / 1000));
        questions.add(client, job)?.reject(new EncoderBusy(waitSeconds()));
        handOut();
      }),
    read(texts, role, read = () => {}) {
      const jobs = texts.map(async text => {
        const vector = await new Promise<Float32Array>((resolve, reject) => {
          others.push({ text, role, client: '', resolve, reject, retried: false });
        });
        read();
        return vector;
      });
      handOut();
      return Promise.all(jobs);
    },
  };
}

/** @throws RuntimeMissing; Error for a file that cannot be read, or where the thread ends */
async function digestOf(worker: Worker): Promise<string> {
  const found = await nextMessage<Found>(worker);
  if ('digest' in found) return found.digest;
  throw 'missing' in found ? new RuntimeMissing(found.missing) : new Error(found.fault);
}

/** @throws Error for a model that cannot be opened, or where the thread ends */
async function openingOf(worker: Worker): Promise<void> {
  const opened = await nextMessage<Opened>(worker);
  if ('fault' in opened) throw new Error(opened.fault);
}

function nextMessage<Message>(worker: Worker): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number) => reject(new Error(`a thread of the encoder ended while it started (${code})`));
    worker.on('error', reject); // stays: an error that nobody hears would end the process
    worker.once('exit', ended);
    worker.once('message', (message: Message) => {
      worker.off('exit', ended);
      resolve(message);
    });
  });
}

/** In a checkout the thread reads the sources; on Node 20 it does not inherit their loader. */
function startThread(directory: string): Worker {
  const options = { workerData: directory, execArgv: [] };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(import.meta.resolve('#package/dist/brand/retrieval/thread.js')), options);
  }
  const [loader, thread] = [import.meta.resolve('tsx/esm/api'), import.meta.resolve('./thread.ts')];
  const code = `import('${loader}').then(({ register }) => { register(); return import('${thread}'); })`;
  return new Worker(code, { ...options, eval: true });
}
