import * as z from 'zod';
import { DatabaseFault, DatabaseRefused } from './sql.ts';

/** Runs a statement of a file. @throws DatabaseFault with the code of SQLite; DatabaseRefused where the file is damaged */
export function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { errcode, message } = SqliteError.catch({ errcode: 0, message: '' }).parse(error);
    // The low byte is the primary code (sqlite.org/rescode.html).
    const code = CODES[errcode & 0xff] ?? `SQLITE_${errcode}`;
    throw DAMAGED.has(code) ? damaged(path, message, error) : new DatabaseFault(code, `${path}: ${message}`, error);
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
    `${path} is damaged (${what}). Keep a copy of it, then restore a back-up: aval outbox restore FILE --replace. ` +
      'Without one, "sqlite3 aval.db .recover" saves what can be read.',
    cause,
  );
