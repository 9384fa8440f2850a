import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { countText } from '../../test/support/support.ts';
import type { Deployment } from './deployment.ts';
import { addressOf, form, send } from './send.ts';

/** Forms to send at least. */
const POSTS = 1000;

/** Senders at once, each with a connection of its own to the proxy. A few leave a small machine time to start. */
const SENDERS = 4;

/**
 * Between an instance that serves again and the stop of the next, as docs/operations.md says: Caddy looks once
 * a second.
 */
const PAUSE_MS = 3000;

/**
 * Restarts one instance after the other, again and again, while senders post forms as fast as they are
 * answered. Ends once enough were sent and every instance was restarted twice.
 * @returns what came of the forms; `failures` says how often each status came, 0 where no answer did
 */
export async function rollUnderLoad({ port, instances }: Deployment) {
  const statuses: number[] = [];
  let restarts = 0;
  let isOver = false;
  const sender = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: addressOf(index, 4) });
    while (!isOver) {
      const { status, text } = await send({ port, agent }, form());
      statuses.push(status);
      if (status !== 200) process.stderr.write(`${new Date().toISOString()} ${status} ${text}\n`);
    }
    agent.destroy();
  };
  const load = Array.from({ length: SENDERS }, (_, index) => sender(index));
  await Promise.all(instances.map(instance => instance.serves()));
  while (statuses.length < POSTS || restarts < 2 * instances.length) {
    for (const instance of instances) {
      await setTimeout(PAUSE_MS);
      await instance.stop('SIGTERM');
      await instance.start();
      await instance.serves();
      restarts += 1;
    }
  }
  isOver = true;
  await Promise.all(load);
  const failed = statuses.filter(status => status !== 200);
  return { sent: statuses.length, failed: failed.length, failures: countText(failed), restarts };
}
