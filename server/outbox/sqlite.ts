import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type {
  DatabaseSyncInstance as Connection,
  StatementSyncInstance as Statement,
} from '@photostructure/sqlite';
import { type Database, DatabaseFault, type Query, type Sql, type SqlRow, words } from './sql.ts';
import { damaged, guarded, makePrivateFile, requirePages, requireSameFile } from './sqlite-file.ts';

/**
 * Opens or creates a database in one file, for all processes and containers on one machine. A commit resolves once it is on
 * disk (WAL, synchronous=FULL). After a crash it checks every page: 90 ms for 100,000 submissions.
 * @throws DatabaseFault; DatabaseRefused for a damaged file
 */
export async function openSqlite(path: string): Promise<Database> {
  const inode = await makePrivateFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new DatabaseFault(error.code ?? 'unknown', error.message, error);
  });
  const hasLog = ((await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0) > 0;
  if (hasLog) await requirePages(path);
  const { DatabaseSync } = await loadSqlite();
  const connection = guarded(path, () => new DatabaseSync(path));
  const patiently = createPatience();
  try {
    // Another process may be reading the log that a crash left: it holds the lock meanwhile.
    await patiently(() => guarded(path, () => connection.exec(PRAGMAS)));
    if (hasLog) await patiently(() => requireWhole(path, connection), true);
  } catch (error) {
    connection.close();
    throw error;
  }
  const run = runner(path, connection);
  // One connection: a query during a transaction waits for its end.
  const inTurn = queue();
  const within = <Result>(begin: string, work: (query: Query) => Promise<Result>) =>
    inTurn(async () => {
      await requireSameFile(path, inode);
      await patiently(() => run(words(begin)));
      try {
        const result = await work(async statement => run(statement));
        run(words('COMMIT'));
        return result;
      } catch (error) {
        rollBack(connection);
        throw error;
      }
    });
  return {
    dialect: 'sqlite',
    query: statement => inTurn(() => patiently(() => run(statement), isRead(statement))),
    exclusively: (_name, work) => within('BEGIN IMMEDIATE', work),
    snapshot: work => within('BEGIN', work),
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
  PRAGMA secure_delete = ON;
`;

function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // A full disk or a failed write has rolled it back already.
  }
}

/** Node's own SQLite where it has one (from 22.13), else the package with the same API. */
async function loadSqlite(): Promise<typeof import('@photostructure/sqlite')> {
  const builtIn: string = 'node:sqlite';
  return import(builtIn).catch(() => import('@photostructure/sqlite'));
}

function requireWhole(path: string, connection: Connection): void {
  const found = guarded(path, () => connection.prepare('PRAGMA quick_check(1)').get());
  if (found?.quick_check !== 'ok') throw damaged(path, String(found?.quick_check));
}

function runner(path: string, connection: Connection): (statement: Sql) => readonly SqlRow[] {
  const prepared = new Map<string, Statement>();
  return ({ text, values }) =>
    guarded(path, () => {
      const statement = prepared.get(text) ?? connection.prepare(text);
      if (prepared.size < 200) prepared.set(text, statement);
      return statement.all(...values);
    });
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
