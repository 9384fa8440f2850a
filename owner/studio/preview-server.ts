import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename } from 'node:path';
import type { RetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { isMissing, messageOf } from '../../brand/profile/thrown.ts';
import { MAX_QUERY } from '../../tools/fields/fields.ts';
import { type DraftFiles, type LiveDraft, readLiveDraft } from './draft.ts';
import { previewPage, previewPolicy } from './page.ts';

interface PreviewOptions {
  readonly files: DraftFiles;
  readonly model: RetrievalModel;
  /** 0: any that is free. */
  readonly port: number;
  /** Told what went wrong with a draft that cannot be read at all. */
  readonly note: (message: string) => void;
}

export interface Preview {
  readonly url: string;
  /** Ends it, with the pages that are open. */
  close(): Promise<void>;
}

const POLL_MS = 300;

/**
 * Shows a draft on this machine alone, and anew whenever one of its files changes. Never part of `serve`: it shows what is not signed,
 * with its faults.
 * @throws Error where the profile or the port cannot be had
 */
export async function startPreview({ files, model, port, note }: PreviewOptions): Promise<Preview> {
  const watched = [files.profile, files.jwks, ...(files.questions === undefined ? [] : [files.questions])];
  let version = await versionOf(watched);
  let live = await readLiveDraft(files, model);
  const readers = new Set<ServerResponse>();
  const reload = async () => {
    const found = await versionOf(watched);
    if (found === version) return;
    version = found;
    try {
      live = await readLiveDraft(files, model);
      for (const reader of readers) reader.write('data: changed\n\n');
    } catch (error) {
      note(reasonOf(error));
    }
  };
  const server = createServer((request, response) => {
    if (refused(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/events') follow(response, readers);
    else if (pathname === '/') {
      const shown = { file: basename(files.profile), live, query: searchParams.get('q') };
      show(response, shown).catch(error => {
        note(reasonOf(error));
        response.destroy();
      });
    } else response.writeHead(404).end();
  });
  server.listen(port, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const timer = setInterval(() => void reload(), POLL_MS);
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/`,
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Polled and compared with what was there before the last reading: no save is missed, whatever way an editor writes a file. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !isMissing(error)) return messageOf(error);
  const { path }: NodeJS.ErrnoException = error;
  return `${path} is gone: save it there again, and the page follows; until then the page stays as it is`;
}

async function versionOf(files: readonly string[]): Promise<string> {
  const versions = files.map(file =>
    stat(file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'absent',
    ),
  );
  return (await Promise.all(versions)).join();
}

/** Another site's page may reach a loopback port by a name of its own (DNS rebinding): only this machine's names are answered. */
function refused({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const host = headers.host ?? '';
  const isOwn = URL.canParse(`http://${host}`) && isLoopback(host);
  if (isOwn && method === 'GET') return false;
  response.writeHead(isOwn ? 405 : 403, isOwn ? { allow: 'GET' } : {}).end();
  return true;
}

function follow(response: ServerResponse, readers: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': open\n\n');
  readers.add(response);
  response.on('error', () => {}).on('close', () => readers.delete(response));
}

interface Shown {
  readonly file: string;
  readonly live: LiveDraft;
  readonly query: string | null;
}

async function show(response: ServerResponse, { file, live, query }: Shown): Promise<void> {
  const asked = query?.trim().slice(0, MAX_QUERY);
  const page = previewPage(file, live, asked ? await live.explain(asked) : undefined);
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': previewPolicy(live),
    'x-content-type-options': 'nosniff',
  });
  response.end(page);
}
