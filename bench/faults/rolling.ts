import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { addressOf, nextNumber, REQUESTS, send } from '../load/crowd.ts';
import type { Deployment } from './deployment.ts';

/** What came of the forms that were sent while instances were restarted. */
export interface Rolled {
  readonly sent: number;
  readonly failed: number;
  /** How often each kind of failure came: a status, or 0 where no answer came. */
  readonly failures: Readonly<Record<number, number>>;
  readonly restarts: number;
  readonly perSecond: number;
}

interface Load {
  /** Forms to send at least. */
  readonly atLeast: number;
  /** Senders at once, each with a connection of its own to the proxy. */
  readonly senders: number;
}

/**
 * Restarts one instance after the other, again and again, while senders post forms as fast as they are answered.
 * Ends once enough were sent and every instance was restarted twice.
 */
export async function rollUnderLoad({ port, instances }: Deployment, { atLeast, senders }: Load): Promise<Rolled> {
  const failures: Record<number, number> = {};
  const begunMs = performance.now();
  let [sent, restarts, isOver] = [0, 0, false];
  const sender = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: addressOf(index, 4) });
    while (!isOver) {
      const { status } = await send({ port, agent }, REQUESTS.forms(nextNumber()));
      sent += 1;
      if (status !== 200) failures[status] = (failures[status] ?? 0) + 1;
    }
    agent.destroy();
  };
  const load = Array.from({ length: senders }, (_, index) => sender(index));
  while (sent < atLeast || restarts < 2 * instances.length) {
    for (const instance of instances) {
      await setTimeout(PAUSE_MS);
      await instance.stop('SIGTERM');
      await instance.start();
      restarts += 1;
    }
  }
  isOver = true;
  await Promise.all(load);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const perSecond = Math.round((1000 * sent) / (performance.now() - begunMs));
  return { sent, failed, failures, restarts, perSecond };
}

/** Between the start of one instance and the stop of the next, as an operator's script has it. */
const PAUSE_MS = 1000;
