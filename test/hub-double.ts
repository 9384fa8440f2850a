import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A loopback server in the place of the model hub, with the paths it was asked for. */
export async function startHub(t: TestContext, answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { hub: `http://127.0.0.1:${address.port}`, asked };
}

/** Answers with the files of a directory at /ORG/NAME/resolve/REVISION/FILE. */
export function serving(directory: string): RequestListener {
  return ({ url = '' }, response) => {
    const file = join(directory, url.replace(/^(\/[^/]+){4}/, ''));
    if (existsSync(file)) createReadStream(file).pipe(response.setHeader('content-length', statSync(file).size));
    else response.writeHead(404).end('Entry not found');
  };
}
