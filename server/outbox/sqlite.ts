import { chmod, type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DatabaseSyncInstance as Connection, StatementSyncInstance as Statement } from '@photostructure/sqlite';
import { makePrivateDirectory } from '../config/private-files.ts';
import { type Database, DatabaseFault, type Sql, type SqlRow } from './sql.ts';
import { damaged, guarded } from './sqlite-faults.ts';
import { requirePages } from './sqlite-pages.ts';

/** A database in one file, for all processes and containers on one machine. */
export interface SqliteDatabase extends Database {
  /** Makes a consistent copy while others read and write. The file must not exist yet. */
  copyTo(path: string): Promise<void>;
  /** Replaces tables by those of the same name in another file, in one commit. Close this database afterwards. */
  replaceBy(path: string): Promise<void>;
}

/**
 * Opens or creates the file. A commit resolves once it is on disk (WAL, synchronous=FULL). After a crash it checks every
 * page: 90 ms for 100,000 submissions.
 * @throws DatabaseFault; DatabaseRefused for a damaged file
 */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  const inode = await makePrivateFile(path).catch(rethrow);
  const hasLog = (await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0;
  if (hasLog > 0) await requirePages(path);
  const { DatabaseSync } = await loadSqlite();
  const connection = guarded(path, () => new DatabaseSync(path));
  try {
    guarded(path, () => connection.exec(PRAGMAS));
    if (hasLog > 0) requireWhole(path, connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  const run = runner(path, connection);
  // One connection: a query during a transaction waits for its end.
  const inTurn = queue();
  const patiently = createPatience();

  return {
    dialect: 'sqlite',
    query: statement => inTurn(() => patiently(() => run(statement), isRead(statement))),

    exclusively: (_name, work) =>
      inTurn(async () => {
        await requireSameFile(path, inode);
        await patiently(() => run({ text: 'BEGIN IMMEDIATE', values: [] }));
        try {
          const result = await work(async statement => run(statement));
          run({ text: 'COMMIT', values: [] });
          return result;
        } catch (error) {
          if (connection.isTransaction) run({ text: 'ROLLBACK', values: [] });
          throw error;
        }
      }),

    replaceBy: source => inTurn(() => patiently(() => replaceTables(run, source))),
    async copyTo(target) {
      // VACUUM INTO accepts an empty file. One that it creates would be readable by anybody.
      await makePrivateFile(target);
      await inTurn(async () => void run({ text: 'VACUUM INTO ?', values: [target] })).catch(async error => {
        await rm(target, { force: true }); // half a copy would stand in the way of the next one
        throw error;
      });
    },
    close: () => inTurn(async () => connection.close()),
  };
}

/**
 * secure_delete overwrites erased rows instead of only unlinking them. busy_timeout is short because it blocks the thread;
 * `patiently` waits longer.
 */
const PRAGMAS = `
  PRAGMA busy_timeout = 1;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`;

/** Does not open an existing file: closing it would release every lock of this process on it (POSIX). */
async function makePrivateFile(path: string): Promise<number> {
  await makePrivateDirectory(dirname(path));
  await open(path, 'wx', 0o600).then(
    file => giveToOwner(file, dirname(path)).finally(() => file.close()),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  await chmod(path, 0o600);
  return (await stat(path)).ino;
}

/** The service must be able to open a file that root made. SQLite gives its log the same owner. */
async function giveToOwner(file: FileHandle, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  await file.chown(uid, gid);
}

/** The package has one SQLite for every Node. Where it has no binary, Node's built-in SQLite serves. */
async function loadSqlite(): Promise<typeof import('@photostructure/sqlite')> {
  const builtIn: string = 'node:sqlite';
  return import('@photostructure/sqlite').catch(() => import(builtIn));
}

/** SQLite would keep writing to a moved or deleted file, which nobody reads. */
async function requireSameFile(path: string, inode: number): Promise<void> {
  const now = await stat(path).catch(() => undefined);
  if (now?.ino === inode) return;
  throw new DatabaseFault('DATABASE_MOVED', `${path} was moved, replaced or deleted while it was in use.`);
}

/** Checks that the pages' content is consistent. */
function requireWhole(path: string, connection: Connection): void {
  const found = guarded(path, () => connection.prepare('PRAGMA quick_check(1)').get());
  if (found?.quick_check !== 'ok') throw damaged(path, String(found?.quick_check));
}

type Run = (statement: Sql) => readonly SqlRow[];

function runner(path: string, connection: Connection): Run {
  const prepared = new Map<string, Statement>();
  return ({ text, values }) =>
    guarded(path, () => {
      const statement = prepared.get(text) ?? connection.prepare(text);
      if (prepared.size < 200) prepared.set(text, statement);
      return statement.all(...values);
    });
}

function replaceTables(run: Run, source: string): void {
  const statement = (text: string) => run({ text, values: [] });
  // Neither works inside a transaction.
  statement('PRAGMA foreign_keys = OFF');
  run({ text: 'ATTACH ? AS source', values: [source] });
  statement('BEGIN IMMEDIATE');
  const made = new Set(statement('SELECT name FROM main.sqlite_schema').map(({ name }) => name));
  const parts = statement(
    "SELECT type, name, sql FROM source.sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type DESC",
  );
  for (const { type, name, sql } of parts) {
    if (!made.has(name)) statement(String(sql));
    if (type !== 'table') continue;
    statement(`DELETE FROM main.${name}`);
    statement(`INSERT INTO main.${name} SELECT * FROM source.${name}`);
  }
  statement('COMMIT');
}

const isRead = ({ text }: Sql): boolean => /^\s*SELECT/i.test(text);

/**
 * Waits while another process holds the lock. All that wait share one patience: what comes after it fails at once, until a
 * write succeeds. A read needs no lock, and says nothing of it.
 */
function createPatience() {
  let lockedSinceMs: number | undefined;
  return async function patiently<Result>(act: () => Result, isRead = false): Promise<Result> {
    for (; ; await setTimeout(10)) {
      try {
        const result = act();
        if (!isRead) lockedSinceMs = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof DatabaseFault && error.code === 'SQLITE_BUSY')) throw error;
        lockedSinceMs ??= performance.now();
        if (performance.now() - lockedSinceMs > PATIENCE_MS) throw error;
      }
    }
  };
}

/** A commit takes milliseconds; a copy of the file by another program takes seconds. */
const PATIENCE_MS = 5000;

function queue(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let tail: Promise<unknown> = Promise.resolve();
  return act => {
    const turn = tail.then(act);
    tail = turn.catch(() => {});
    return turn;
  };
}

function rethrow(error: NodeJS.ErrnoException): never {
  throw new DatabaseFault(error.code ?? 'unknown', error.message, error);
}
