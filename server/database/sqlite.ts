import { chmod, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DatabaseSyncInstance as Connection, StatementSyncInstance as Statement } from '@photostructure/sqlite';
import { makePrivateDirectory } from '../config/private-files.ts';
import { type Database, DatabaseFault, type Sql, type SqlRow } from './sql.ts';
import { damaged, guarded } from './sqlite-faults.ts';
import { requirePages } from './sqlite-pages.ts';

/** A database in one file, for any number of processes on one machine; containers that share the volume count as such. */
export interface SqliteDatabase extends Database {
  /** A consistent copy of the whole, beside whoever reads and writes. The file must not be there yet. */
  copyTo(path: string): Promise<void>;
  /** Puts the tables of another file in place of those of the same name, all in one commit. Close this one after it. */
  replaceBy(path: string): Promise<void>;
}

/**
 * Opens the file, and makes it where there is none. Every commit is on disk before it resolves (WAL, synchronous=FULL).
 * Where the last process did not end well, every page is looked at: 90 ms for 100,000 submissions.
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
  // One connection: whatever is asked for while a transaction is open waits for its end.
  const inTurn = queue();

  return {
    dialect: 'sqlite',
    query: statement => inTurn(() => patiently(() => run(statement))),

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
      // VACUUM INTO writes into an empty file, and would make one that anybody can read.
      await makePrivateFile(target);
      await inTurn(async () => void run({ text: 'VACUUM INTO ?', values: [target] }));
    },
    close: () => inTurn(async () => connection.close()),
  };
}

/**
 * secure_delete: what is erased is gone from the file, not merely unlinked. busy_timeout is short because it blocks the
 * thread; `patiently` waits the rest.
 */
const PRAGMAS = `
  PRAGMA busy_timeout = 50;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`;

/** Not opened here when it is there: closing a file gives up every lock that this process holds on it (POSIX). */
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

/**
 * A command of root leaves the file to whoever has the directory: the service could not open it otherwise. SQLite gives its
 * log the owner of the file.
 */
async function giveToOwner(file: FileHandle, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  await file.chown(uid, gid);
}

/** The package's SQLite is the same under every Node; the built-in one serves where the package has no binary. */
async function loadSqlite(): Promise<typeof import('@photostructure/sqlite')> {
  const builtIn: string = 'node:sqlite';
  return import('@photostructure/sqlite').catch(() => import(builtIn));
}

/** SQLite would go on writing to a file that was moved or deleted, where no one reads it. */
async function requireSameFile(path: string, inode: number): Promise<void> {
  const now = await stat(path).catch(() => undefined);
  if (now?.ino === inode) return;
  throw new DatabaseFault('DATABASE_MOVED', `${path} was moved, replaced or deleted while it was in use.`);
}

/** What is in the pages belongs together. */
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
  // Neither can be said inside a transaction.
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

/** Another process holds the lock for as long as one commit takes; /ask is answered meanwhile. */
async function patiently<Result>(act: () => Result): Promise<Result> {
  for (const endsAt = performance.now() + PATIENCE_MS; ; await setTimeout(10)) {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof DatabaseFault && error.code === 'SQLITE_BUSY') || performance.now() > endsAt) throw error;
    }
  }
}

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
