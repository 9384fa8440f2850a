import type { Clock } from './clock.ts';
import type { Part } from './record.ts';

/** A mail that is to be sent in the background. */
export interface Due {
  readonly id: string;
  readonly part: Part;
  readonly atMs: number;
  /** Background attempts so far. */
  readonly tries: number;
}

/** Mails waiting for their time, sent one after the other: background mail never crowds out a waiting request. */
export interface DueQueue {
  /** Replaces what was planned for the same mail. */
  plan(due: Due): void;
  cancel(id: string): void;
  /** Starts nothing more; resolves when the send under way has ended. */
  stop(): Promise<void>;
}

/** @param act must not reject */
export function createDueQueue(clock: Clock, act: (due: Due) => Promise<void>): DueQueue {
  const planned = new Map<string, Due>();
  let cancelTimer = () => {};
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const arm = () => {
    cancelTimer();
    const next = earliest(planned.values());
    if (isStopped || underWay || !next) return;
    cancelTimer = clock.setTimer(() => start(next), Math.max(0, next.atMs - clock.now()));
  };
  const start = (due: Due) => {
    planned.delete(keyOf(due));
    underWay = act(due).finally(() => {
      underWay = undefined;
      arm();
    });
  };

  return {
    plan(due) {
      planned.set(keyOf(due), due);
      arm();
    },
    cancel(id) {
      planned.delete(keyOf({ id, part: 'team' }));
      planned.delete(keyOf({ id, part: 'confirm' }));
      arm();
    },
    async stop() {
      isStopped = true;
      cancelTimer();
      await underWay;
    },
  };
}

const keyOf = ({ id, part }: Pick<Due, 'id' | 'part'>) => `${part} ${id}`;

function earliest(dues: Iterable<Due>): Due | undefined {
  let first: Due | undefined;
  for (const due of dues) if (!first || due.atMs < first.atMs) first = due;
  return first;
}
