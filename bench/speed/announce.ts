import type { Server } from 'node:http';

/** Listens on a free loopback port and says which on stderr. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object')
      process.stderr.write(`${JSON.stringify({ port: address.port })}\n`);
  });
}
