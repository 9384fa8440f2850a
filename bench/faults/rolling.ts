import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { counted } from '../../test/support/support.ts';
import { addressOf, failuresOf, nextNumber, perSecond, REQUESTS, send } from '../load/crowd.ts';
import type { Deployment } from './deployment.ts';

interface Load {
  /** Forms to send at least. */
  readonly atLeast: number;
  /** Senders at once, each with a connection of its own to the proxy. */
  readonly senders: number;
}

/**
 * Restarts one instance after the other, again and again, while senders post forms as fast as they are answered.
 * Ends once enough were sent and every instance was restarted twice.
 * @returns what came of the forms; `failures` says how often each status came, 0 where no answer did
 */
export async function rollUnderLoad({ port, instances }: Deployment, { atLeast, senders }: Load) {
  const statuses: number[] = [];
  const begunMs = performance.now();
  let [restarts, isOver] = [0, false];
  const sender = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: addressOf(index, 4) });
    while (!isOver) {
      statuses.push((await send({ port, agent }, REQUESTS.forms(nextNumber()))).status);
    }
    agent.destroy();
  };
  const load = Array.from({ length: senders }, (_, index) => sender(index));
  while (statuses.length < atLeast || restarts < 2 * instances.length) {
    for (const instance of instances) {
      await setTimeout(PAUSE_MS);
      await instance.stop('SIGTERM');
      await instance.start();
      restarts += 1;
    }
  }
  isOver = true;
  await Promise.all(load);
  const failed = failuresOf(statuses);
  return {
    ...{ sent: statuses.length, failed: failed.length, failures: counted(failed) },
    ...{ restarts, perSecond: perSecond(statuses, begunMs) },
  };
}

/** Between the start of one instance and the stop of the next, as an operator's script has it. */
const PAUSE_MS = 1000;
