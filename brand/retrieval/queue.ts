import { type Asker, QueueFull } from './brand.ts';

/** Questions that may wait: of all clients, of one client, and of one IPv6 /48. */
const MOST_WAITING = 200;
const MOST_OF_A_CLIENT = 60;
const MOST_OF_A_NETWORK = 120;

interface Job<Task, Result> {
  readonly task: Task;
  readonly asker?: Asker | undefined;
  readonly resolve: (result: Promise<Result>) => void;
}

/**
 * A queue for a few parallel tasks. Questions go first, in their order; claims run while no question waits.
 * @example const queue = new Queue(2, readText);
 */
export class Queue<Task, Result> {
  readonly #places: number;
  readonly #run: (task: Task) => Promise<Result>;
  readonly #questions: Job<Task, Result>[] = [];
  readonly #claims: Job<Task, Result>[] = [];
  readonly #running = new Set<Promise<Result>>();
  #isClosed = false;

  /** @param places number of parallel tasks */
  constructor(places: number, run: (task: Task) => Promise<Result>) {
    this.#places = places;
    this.#run = run;
  }

  /**
   * @param asker a client; without one the service itself asks, and always gets a place
   * @throws QueueFull if too many questions wait; Error once the queue is closed
   */
  async addQuestion(task: Task, asker?: Asker): Promise<Result> {
    this.#requirePlace(asker);
    return this.#add(this.#questions, task, asker);
  }

  /** @throws Error once the queue is closed */
  addClaim(task: Task): Promise<Result> {
    return this.#add(this.#claims, task);
  }

  /** Refuses waiting tasks, and resolves when no task runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#start();
    await Promise.allSettled(this.#running);
  }

  #requirePlace(asker: Asker | undefined): void {
    if (!asker) return;
    if (this.#questions.length >= MOST_WAITING) throw new QueueFull('too many questions wait');
    const { client, network } = asker;
    const waiting = this.#questions.flatMap(job => job.asker ?? []);
    if (waiting.filter(waitingAsker => waitingAsker.client === client).length >= MOST_OF_A_CLIENT)
      throw new QueueFull('too many questions of one client wait');
    if (network === undefined) return;
    if (waiting.filter(waitingAsker => waitingAsker.network === network).length >= MOST_OF_A_NETWORK)
      throw new QueueFull('too many questions of one network wait');
  }

  #add(jobs: Job<Task, Result>[], task: Task, asker?: Asker): Promise<Result> {
    return new Promise(resolve => {
      jobs.push({ task, asker, resolve });
      this.#start();
    });
  }

  /** Starts tasks while places are free. In a closed queue it refuses them. */
  #start(): void {
    while (this.#isClosed || this.#running.size < this.#places) {
      const job = this.#questions.shift() ?? this.#claims.shift();
      if (!job) return;
      if (this.#isClosed) job.resolve(Promise.reject(new Error('the embedding model is closed')));
      else job.resolve(this.#begin(job.task));
    }
  }

  #begin(task: Task): Promise<Result> {
    const result = this.#run(task).finally(() => {
      this.#running.delete(result);
      this.#start();
    });
    this.#running.add(result);
    return result;
  }
}
