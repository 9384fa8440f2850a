import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface DownloadOptions {
  /** Milliseconds without a byte, after which the server is given up; fetch itself waits for 300 s. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  /** Told how far a long download is, this often. */
  readonly note: (message: string) => void;
  readonly noteMs: number;
}

/**
 * Writes what is at an address to a file. @returns whether there is anything: `false` for 404
 * @throws Error with the address and the reason
 */
export async function download(url: string, file: string, options: DownloadOptions): Promise<boolean> {
  const stall = new AbortController();
  const stallSeconds = options.stallMs / 1000;
  const timer = setTimeout(() => stall.abort(new Error(`nothing came for ${stallSeconds} s`)), options.stallMs);
  const signal = AbortSignal.any([stall.signal, options.signal]);
  const progress = createProgress(url, options);
  try {
    const response = await fetch(url, { signal });
    if (response.status === 404) return false;
    if (!response.ok || !response.body) throw new Error(statusText(response.status));
    const size = Number(response.headers.get('content-length'));
    const watched = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        timer.refresh();
        progress(chunk.length, size);
        yield chunk;
      }
    };
    await pipeline(Readable.fromWeb(response.body), watched, createWriteStream(file), { signal });
    return true;
  } catch (cause) {
    throw new Error(`${url}: ${reasonOf(signal.aborted ? signal.reason : cause)}`, { cause });
  } finally {
    clearTimeout(timer);
    stall.abort(); // what is left of a refusal
  }
}

function createProgress(url: string, { note, noteMs }: DownloadOptions) {
  let bytes = 0;
  let notedAt = Date.now();
  return (more: number, size: number) => {
    bytes += more;
    if (Date.now() - notedAt < noteMs) return;
    notedAt = Date.now();
    note(`${url}: ${megabytes(bytes)} of ${size > 0 ? megabytes(size) : 'unknown'} MB`);
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** The hub answers 401 for a model that does not exist. */
function statusText(status: number): string {
  return status === 401 || status === 403 ? `HTTP ${status}: it does not exist, or it is not public` : `HTTP ${status}`;
}

/** fetch says `fetch failed`, and why in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
