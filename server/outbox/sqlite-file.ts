import { statSync } from 'node:fs';
import { chmod, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/**
 * Whether a process left a journal behind: it was killed, or it is running.
 * @throws DatabaseRefused beside an empty database file: SQLite would delete the journal, and begin an empty
 * store
 */
export async function hasJournal(path: string): Promise<boolean> {
  const journal = await stat(`${path}-wal`).catch(() => undefined);
  if (!journal || journal.size === 0) return false;
  const { size } = await stat(path);
  if (size === 0) throw damaged(path, 'it is empty, and its journal is not');
  return true;
}

/**
 * Remembers the files of an open database: SQLite would go on writing into a file that was moved, replaced,
 * deleted or cut off.
 * @param checkpoint moves the journal's content into the database file. It is called when the
 * journal became shorter, and if it was deleted, because only the open connection can still read it
 * @returns a check that throws DatabaseFault if a file is not the one that was opened
 */
export function rememberFiles(path: string, checkpoint: () => void): () => void {
  const journal = `${path}-wal`;
  const names = [path, journal, `${path}-shm`];
  const inodes = names.map(inodeOf);
  let journalBytes = 0;
  let isCut = false;
  function checkpointFault(): string | undefined {
    try {
      checkpoint();
      return undefined;
    } catch (error) {
      return SqliteError.parse(error).sqliteCodeName;
    }
  }
  return function requireFiles(): void {
    let name = names.find((file, index) => inodeOf(file) !== inodes[index]);
    if (name === undefined) {
      const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
      // Any process may empty the journal once its content is moved. Else a checkpoint misses pages and fails.
      // After another failure, as on a full disk, the next call tries again.
      const fault = bytes < journalBytes ? checkpointFault() : undefined;
      if (fault === undefined) journalBytes = bytes;
      else isCut ||= MISSED_PAGES.test(fault);
      if (isCut) name = journal;
    } else if (name !== path) {
      checkpointFault();
    }
    if (name === undefined) return;
    throw new DatabaseFault(
      'DATABASE_MOVED',
      `${name} was moved, replaced, deleted or cut off while it was in use. Put it back, or ` +
        'restart the server.',
    );
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
 * Runs a statement on the database at `path`.
 * @throws DatabaseFault with the code of SQLite; DatabaseRefused for a damaged file
 */
export function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { sqliteCodeName: code, message } = SqliteError.parse(error);
    throw DAMAGED.has(code)
      ? damaged(path, message, error)
      : new DatabaseFault(code, `${path}: ${message}`, error);
  }
}

const SqliteError = z.object({ sqliteCodeName: z.string().catch('SQLITE_ERROR'), message: z.string() });

const MISSED_PAGES = /^SQLITE_(IOERR|CORRUPT)/;

const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** The fault of a damaged file, with what to do. */
export const damaged = (path: string, what: string, cause?: unknown) =>
  new DatabaseRefused(
    'DATABASE_DAMAGED',
    `${path} is damaged (${what}). Keep a copy of it, stop the servers, and put a back-up in its place, ` +
      `without the ${path}-wal and ${path}-shm of the old one. ` +
      'Without one, "sqlite3 aval.db .recover" saves what can be read.',
    cause,
  );
