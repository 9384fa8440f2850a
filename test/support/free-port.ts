import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives out by itself, from 32,768 on Linux: nobody else gets one between this and its use. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of the loopback address that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
