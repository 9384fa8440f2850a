import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { boundedBytes } from '../../brand/profile/read-bounded.ts';
import { messageOf } from '../error-message.ts';
import { EditError } from '../said-error.ts';
import type { Desk } from './desk.ts';

export interface Studio {
  /** With the token that lets one browser in. */
  readonly url: string;
  close(): Promise<void>;
}

interface StudioOptions {
  readonly desk: Desk;
  /** Of the profile, for the notes. */
  readonly language: string;
  /** Told what went wrong with a request. */
  readonly note: (message: string) => void;
}

/** Files of the page, by path. They are served as they are: nothing is compiled, and nothing else is reachable. */
const CLIENT: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/studio.css': 'text/css; charset=utf-8',
  '/studio.js': 'text/javascript; charset=utf-8',
  '/editor.js': 'text/javascript; charset=utf-8',
  '/panels.js': 'text/javascript; charset=utf-8',
  '/page.js': 'text/javascript; charset=utf-8',
};

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** More than any edit of a page; a statement has 2,000 characters. */
const MAX_BODY_BYTES = 1 << 20;

/**
 * Serves the desk to one browser of this machine. The printed address has the token behind a `#`, where only the page of this
 * port reads it: a cookie would go to every port. A call without it, with another site's `Origin`, or by a name that is not
 * this machine's (DNS rebinding), is refused.
 */
export async function startStudio({ desk, language, note }: StudioOptions): Promise<Studio> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    answer(request, response, { desk, token }).catch(error => {
      const message = messageOf(error, 'en');
      note(messageOf(error, language));
      // A disk that is full is not the owner's mistake, and nothing was lost: the old file stands.
      const status = error instanceof EditError || error instanceof RangeError ? 400 : 500;
      // Of a body that was too long, the rest is still on its way.
      response.setHeader('connection', 'close');
      if (!response.headersSent) send(response, status, { error: message, es: messageOf(error, 'es') });
      else response.destroy();
    });
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address?.port}/#token=${token}`,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

interface Session {
  readonly desk: Desk;
  readonly token: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { desk, token }: Session,
): Promise<void> {
  const { method = '', headers, url: target = '/' } = request;
  const host = headers.host ?? '';
  if (!URL.canParse(`http://${host}`) || !isLoopback(host))
    return send(response, 403, { error: 'another host' });
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return send(response, 403, { error: 'another site' });
  if (headers['sec-fetch-site'] === 'cross-site') return send(response, 403, { error: 'another site' });
  // `//` and its like are no addresses of ours, and the parser of addresses throws on them.
  const [path = '/'] = target.split('?', 1);
  const type = CLIENT[path];
  if (type) return method === 'GET' ? sendFile(response, path, type) : send(response, 405, { error: 'GET' });
  if (!same(headers.authorization ?? '', `Bearer ${token}`))
    return send(response, 403, { error: 'no token' });
  const [, name = ''] = /^\/api\/([a-z]+)$/.exec(path) ?? [];
  if (!Object.hasOwn(desk, name)) return send(response, 404, { error: 'no such address' });
  if (method !== 'POST') return send(response, 405, { error: 'POST' });
  const done = await desk[name]?.(await readJsonBody(request));
  send(response, 200, done ?? {});
}

const same = (given: string, token: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(token).digest());

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new EditError('other', 'send JSON');
  const bytes = await boundedBytes(request, MAX_BODY_BYTES, 'the request').catch(error => {
    throw new EditError('other', messageOf(error));
  });
  try {
    return JSON.parse(new TextDecoder().decode(bytes) || '{}');
  } catch {
    throw new EditError('json_unreadable');
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendFile(response: ServerResponse, path: string, type: string): void {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const file = fileURLToPath(import.meta.resolve(`#package/owner/studio/client/${name}`));
  response.writeHead(200, { ...HEADERS, 'content-type': type }).end(readFileSync(file));
}
