import { setImmediate, setTimeout } from 'node:timers/promises';
import type {
  DatabaseSyncInstance as Connection,
  StatementSyncInstance as Statement,
} from '@photostructure/sqlite';
import type { OpenOptions } from './postgres.ts';
import { type Database, DatabaseFault, type Query, type Sql, type SqlRow, words } from './sql.ts';
import { damaged, guarded, hasJournal, makePrivateFile, rememberFiles } from './sqlite-file.ts';

/**
 * Opens or creates a database in one file, for all processes and containers on one machine. A commit resolves
 * once it is on disk (WAL, synchronous=FULL). After a crash it checks every page: 90 ms for 100,000
 * submissions.
 * @throws DatabaseFault; DatabaseRefused for a damaged file
 */
export async function openSqlite(path: string, { readOnly = false }: OpenOptions = {}): Promise<Database> {
  if (!readOnly) await makePrivateFile(path);
  const leftJournal = await hasJournal(path);
  // The package on every Node: node:sqlite warns on stderr that it is experimental, and answers other codes.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const connection = guarded(path, () => new DatabaseSync(path, { readOnly }));
  const patiently = createPatience();
  try {
    // Another process may hold the lock while it reads the log of a crash.
    await patiently(() => guarded(path, () => connection.exec(readOnly ? READ_PRAGMAS : PRAGMAS)));
    if (leftJournal) await patiently(() => requireWhole(path, connection));
  } catch (error) {
    connection.close();
    throw error;
  }
  const requireFiles = rememberFiles(path, () => {
    if (!readOnly) connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  });
  const run = createRunner(path, connection);
  const queue = createQueue();

  /** There is one connection, so a query during a transaction waits for its end. */
  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    return queue(async () => {
      try {
        requireFiles();
        const result = await act();
        // What was committed into a deleted journal is not on disk.
        requireFiles();
        return result;
      } catch (error) {
        if (error instanceof DatabaseFault && error.code === 'SQLITE_FULL') makeRoom(connection);
        throw error;
      }
    });
  }

  async function transact<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    await patiently(() => run(words('BEGIN IMMEDIATE')));
    try {
      const result = await work(async statement => run(statement));
      run(words('COMMIT'));
      return result;
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  }

  return {
    dialect: 'sqlite',
    query: statement => inTurn(() => patiently(() => run(statement), isRead(statement))),
    exclusively: (_names, work) => inTurn(() => transact(work)),
    close: () => queue(async () => connection.close()),
  };
}

/**
 * busy_timeout is short because it blocks the thread; `patiently` waits longer. The SELECT opens the journal,
 * if there is one: a back-up has none, and a reader cannot make it.
 */
const READ_PRAGMAS = 'PRAGMA busy_timeout = 1; SELECT COUNT(*) FROM sqlite_schema;';

/** secure_delete overwrites erased rows instead of only unlinking them. */
const PRAGMAS = `
  PRAGMA busy_timeout = 1;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  SELECT COUNT(*) FROM sqlite_schema;
`;

function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back already, after a full disk or a failed write.
  }
}

/**
 * Empties the journal, which holds a page once for each change: then a full disk has room for what is still
 * to be noted.
 */
function makeRoom(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The file has no room for it either.
  }
}

function requireWhole(path: string, connection: Connection): void {
  const check = guarded(path, () => connection.prepare('PRAGMA quick_check(1)').get());
  if (check?.quick_check !== 'ok') throw damaged(path, String(check?.quick_check));
}

/** Prepares each text once: the code makes a bounded number of them. */
function createRunner(path: string, connection: Connection): (statement: Sql) => readonly SqlRow[] {
  const prepared = new Map<string, Statement>();
  return ({ text, values }) =>
    guarded(path, () => {
      const statement = prepared.get(text) ?? connection.prepare(text);
      prepared.set(text, statement);
      return statement.all(...values);
    });
}

const isRead = ({ text }: Sql): boolean => /^\s*SELECT/i.test(text);

/**
 * Waits while another process holds the lock. All waiting work shares one time limit; after it, work fails at
 * once until a write succeeds. Reads need no lock, so their success does not end this.
 */
function createPatience() {
  let lockedSinceMs: number | undefined;
  return async function patiently<Result>(act: () => Result, isRead = false): Promise<Result> {
    for (; ; await setTimeout(LOOK_EVERY_MS)) {
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

/**
 * SQLite has no queue for the lock. Of two servers that write all the time, the one that looked every 10 ms
 * waited 2 s for its turn; every 2 ms, 0.7 s.
 */
const LOOK_EVERY_MS = 2;

/** Between two acts the thread is free: hundreds of commits in a row would hold every page for seconds. */
function createQueue(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let tail: Promise<unknown> = Promise.resolve();
  return act => {
    const turn = tail.then(act);
    tail = turn.catch(() => {}).then(() => setImmediate());
    return turn;
  };
}
