import { open, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { damaged } from './sqlite-faults.ts';

/**
 * Checks that each page which the file's header counts is in the file or the log (sqlite.org/fileformat2.html, 1.3 and 4.1).
 * SQLite notices a truncated file only without a log; with one, it reads lost pages as empty.
 */
export async function requirePages(path: string): Promise<void> {
  let gone = await missingPage(path);
  // Another process may be moving pages from the log to the file. The next look finds them in one of the two.
  for (let looks = 0; gone !== undefined && looks < 3; looks += 1) {
    await setTimeout(100);
    gone = await missingPage(path);
  }
  if (gone !== undefined) throw damaged(path, `page ${gone} is gone`);
}

async function missingPage(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  const header = Buffer.alloc(100);
  await file.read(header, 0, 100, 0);
  const { size } = await file.stat();
  await file.close();
  const log = await readFile(`${path}-wal`).catch(() => Buffer.alloc(0));
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (size < 100 || pageBytes < 512) return log.length > 0 ? 1 : undefined;
  const logged = new Set<number>();
  for (let at = 32; at + 24 + pageBytes <= log.length; at += 24 + pageBytes) logged.add(log.readUInt32BE(at));
  const pages = header.readUInt32BE(28);
  for (let page = Math.floor(size / pageBytes) + 1; page <= pages; page += 1) if (!logged.has(page)) return page;
  return undefined;
}
