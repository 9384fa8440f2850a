import { statSync } from 'node:fs';
import { chmod, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { codeOf, messageOf } from '../../brand/profile/thrown.ts';
import { makePrivateDirectory } from '../config/private-files.ts';
import { DatabaseFault, DatabaseRefused } from './sql.ts';

/**
 * Makes the file, readable by its owner only, if it does not exist. It does not open an existing one: closing
 * it would release every lock of this process on it (POSIX).
 * @throws DatabaseFault
 */
export async function makePrivateFile(path: string): Promise<void> {
  try {
    const folder = dirname(path);
    await makePrivateDirectory(folder);
    const created = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    // The service must be able to open a file that root made. SQLite makes its journal with the same owner.
    const { uid, gid } = await stat(folder);
    if (process.getuid?.() === 0) await created?.chown(uid, gid);
    await created?.close();
    await chmod(path, 0o600);
  } catch (error) {
    throw new DatabaseFault(codeOf(error), messageOf(error), error);
  }
}

/** Whether a process left a journal behind: it was killed, or it is running. */
export async function hasJournal(path: string): Promise<boolean> {
  const journal = await stat(`${path}-wal`).catch(() => undefined);
  return (journal?.size ?? 0) > 0;
}

/** How often the files are checked while nothing is written, in milliseconds. */
const LOOK_EVERY_MS = 1000;

/**
 * Watches the files of an open database: SQLite would go on writing into a file that was moved, replaced or
 * deleted.
 * @param rescue moves the journal's content into the database file. It is called once if the journal was
 * deleted, because only the open connection can still read it
 */
export function watchFiles(path: string, rescue: () => void) {
  const names = [path, `${path}-wal`, `${path}-shm`];
  const inodes = names.map(inodeOf);
  let isRescued = false;
  const changedFile = () => names.find((name, index) => inodeOf(name) !== inodes[index]);
  const look = () => {
    const name = changedFile();
    if (name === undefined || name === path || isRescued) return name;
    isRescued = true;
    try {
      rescue();
    } catch {
      // `require` throws the fault of the missing file, which says what to do.
    }
    return name;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    /** @throws DatabaseFault */
    require(): void {
      const name = look();
      if (name === undefined) return;
      throw new DatabaseFault(
        'DATABASE_MOVED',
        `${name} was moved, replaced or deleted while it was in use. Put it back, or restart the server.`,
      );
    },
    stop: () => clearInterval(timer),
  };
}

/** The inode of a file. Undefined if it is missing or unreadable: both count as another file. */
function inodeOf(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

/**
 * Checks that every page that the file's header counts is in the file or the log
 * (sqlite.org/fileformat2.html, 1.3 and 4.1). With a log, SQLite does not notice a truncated file: it reads
 * lost pages as empty.
 */
export async function requirePages(path: string): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    const gone = await missingPage(path);
    if (gone === undefined) return;
    if (looks > 3) throw damaged(path, `page ${gone} is gone`);
    // Another process may be moving pages from the log to the file. The next check finds them in one of the
    // two.
    await setTimeout(100);
  }
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
  const frameBytes = 24 + pageBytes;
  for (let offset = 32; offset + frameBytes <= log.length; offset += frameBytes)
    logged.add(log.readUInt32BE(offset));
  const pages = header.readUInt32BE(28);
  for (let page = Math.floor(size / pageBytes) + 1; page <= pages; page += 1)
    if (!logged.has(page)) return page;
  return undefined;
}

/**
 * Runs a statement on the database at `path`.
 * @throws DatabaseFault with the code of SQLite; DatabaseRefused for a damaged file
 */
export function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { errcode, message } = SqliteError.catch({ errcode: 0, message: '' }).parse(error);
    // The low byte is the primary code (sqlite.org/rescode.html).
    const code = CODES[errcode & 0xff] ?? `SQLITE_${errcode}`;
    throw DAMAGED.has(code)
      ? damaged(path, message, error)
      : new DatabaseFault(code, `${path}: ${message}`, error);
  }
}

const SqliteError = z.object({ errcode: z.number(), message: z.string() });

const CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** The fault of a damaged file, with what to do. */
export const damaged = (path: string, what: string, cause?: unknown) =>
  new DatabaseRefused(
    'DATABASE_DAMAGED',
    `${path} is damaged (${what}). Keep a copy of it, stop the servers, and put a back-up in its place. ` +
      'Without one, "sqlite3 aval.db .recover" saves what can be read.',
    cause,
  );
