import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { BoundError, readBounded } from '../../brand/profile/read-bounded.ts';
import { readDocx } from './readers/docx.ts';
import { readHtml } from './readers/html.ts';
import { readMarkdown } from './readers/markdown.ts';
import { readPdf } from './readers/pdf.ts';
import { DraftError, MAX_SOURCE_BYTES, type Reading } from './readers/reading.ts';
import { type Fetched, fetchSite, type SiteOptions } from './readers/site.ts';

type Read = (source: string, bytes: Uint8Array, type?: string) => Reading | Promise<Reading>;

const readPage: Read = (source, bytes, type = '') => readHtml(source, textOf(bytes, type));
const readText: Read = (source, bytes, type = '') => readMarkdown(source, textOf(bytes, type));

/** The readers by the ending of a file's name, and by the media type of a page. */
const READERS: Readonly<Record<string, Read>> = {
  '.html': readPage,
  '.htm': readPage,
  '.xhtml': readPage,
  '.md': readText,
  '.txt': readText,
  '.docx': readDocx,
  '.pdf': (source, bytes) => readPdf(source, bytes),
  'text/html': readPage,
  'application/xhtml+xml': readPage,
  'text/plain': readText,
  'text/markdown': readText,
  'application/pdf': (source, bytes) => readPdf(source, bytes),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': readDocx,
};

/** Files of a folder that are read at most. */
const MOST_FILES = 500;

/**
 * What files, folders and addresses say. A source that cannot be read does not keep the others from being read; it is told.
 * @throws DraftError where a source that was named is not there, is too large, or none could be read
 */
export async function readSources(sources: readonly string[], options: SiteOptions): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const source of sources) {
    const found = /^https?:\/\//i.test(source) ? readSite(source, options) : readPath(source, options);
    for await (const reading of found) readings.push(reading);
  }
  if (readings.length === 0) throw new DraftError(`${sources.join(', ')}: nothing there could be read`);
  return readings;
}

async function* readSite(address: string, options: SiteOptions): AsyncGenerator<Reading> {
  if (!URL.canParse(address)) throw new DraftError(`${address}: is no web address: look for a slip`);
  const known = new Map<Fetched, Reading>();
  const pages = fetchSite(new URL(address), page => known.get(page)?.links ?? [], options);
  for await (const page of pages) {
    const type = page.type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const read = READERS[type];
    if (!read) {
      options.note(`${page.url.href}: is passed over: ${type || 'a page without a type'} is not read`);
      continue;
    }
    try {
      const reading = await read(page.url.href, page.bytes, page.type);
      known.set(page, reading);
      yield reading;
    } catch (error) {
      tell(error, options);
    }
  }
}

async function* readPath(path: string, { note }: SiteOptions): AsyncGenerator<Reading> {
  const found = await stat(path).catch(error => {
    throw new DraftError(`${path}: there is no such file or folder`, { cause: error });
  });
  if (!found.isDirectory()) {
    yield await readFileAt(path, path);
    return;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(entry => entry.isFile() && extname(entry.name).toLowerCase() in READERS)
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !/(?:^|[\\/])(?:node_modules|\.[^\\/]+)[\\/]/.test(relative(path, file)))
    .sort();
  if (files.length > MOST_FILES) note(`${path}: the first ${MOST_FILES} of ${files.length} files are read`);
  for (const file of files.slice(0, MOST_FILES)) {
    try {
      yield await readFileAt(file, relative(path, file));
    } catch (error) {
      tell(error, { note });
    }
  }
}

async function readFileAt(path: string, source: string): Promise<Reading> {
  const read = READERS[extname(path).toLowerCase()];
  if (!read) throw new DraftError(`${path}: the ending must be one of .html, .md, .txt, .docx, .pdf`);
  return read(source, await readBounded(path, MAX_SOURCE_BYTES));
}

function tell(error: unknown, { note }: Pick<SiteOptions, 'note'>): void {
  if (!(error instanceof DraftError || error instanceof BoundError)) throw error;
  note(error.message);
}

/** By the charset that the answer names, else the page itself; what cannot be decoded is replaced, and seen in the studio. */
function textOf(bytes: Uint8Array, type: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const named =
    /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
