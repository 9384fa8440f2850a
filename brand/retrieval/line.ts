/** Who asks, as far as a waiting line must know. */
export interface Asker {
  /** Stands for an IPv4 address or an IPv6 /48. */
  readonly network: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** There is no place for a question. */
export class NoPlace extends Error {}

/** What may wait of one network: sixteen questions of usual length. A long one takes the places of several. */
const OF_ONE_NETWORK = 16;

interface Job<Task, Done> {
  readonly task: Task;
  readonly network: string | undefined;
  readonly resolve: (done: Done | Promise<Done>) => void;
  readonly reject: (error: unknown) => void;
}

interface LineOptions<Task> {
  readonly places: number;
  /** Questions that may wait for each place. */
  readonly waitingEach: number;
  /** How much work a task is; a question of usual length is 1. */
  readonly sizeOf: (task: Task) => number;
}

/** Work that waits for one of a few places: questions first come, first served; other work while none waits. */
export function createLine<Task, Done>(
  { places, waitingEach, sizeOf }: LineOptions<Task>,
  work: (task: Task) => Promise<Done>,
) {
  const questions: Job<Task, Done>[] = [];
  const others: Job<Task, Done>[] = [];
  const underWay = new Set<Promise<Done>>();
  let isClosed = false;
  const start = () => {
    while (!isClosed && underWay.size < places) {
      const job = questions.shift() ?? others.shift();
      if (!job) return;
      const done = work(job.task).finally(() => {
        underWay.delete(done);
        start();
      });
      underWay.add(done);
      job.resolve(done);
    }
  };
  const waitingOf = (network: string): number =>
    questions.reduce((sum, job) => sum + (job.network === network ? sizeOf(job.task) : 0), 0);
  const hasPlace = (task: Task, network: string | undefined): boolean =>
    underWay.size < places ||
    (questions.length < waitingEach * places &&
      (network === undefined || waitingOf(network) + sizeOf(task) <= OF_ONE_NETWORK));
  return {
    /** @throws NoPlace, or the signal's reason where it is aborted before the work begins */
    ask(task: Task, { network, signal }: Partial<Asker> = {}): Promise<Done> {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (!hasPlace(task, network)) return reject(new NoPlace('too many questions wait'));
        const leave = () => {
          const at = questions.indexOf(job);
          if (at >= 0) questions.splice(at, 1);
          reject(signal?.reason);
        };
        const job = { task, network, resolve, reject };
        signal?.addEventListener('abort', leave, { once: true });
        questions.push(job);
        start();
      });
    },
    add(task: Task): Promise<Done> {
      return new Promise((resolve, reject) => {
        others.push({ task, network: undefined, resolve, reject });
        start();
      });
    },
    /** Begins no further work, and resolves once none is under way. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}
