import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Ending } from './child.ts';

/** Answers with this on a free loopback port until the test ends. @returns the origin */
export async function serve(t: Ending, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}
