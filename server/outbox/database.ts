import { join } from 'node:path';
import type { Log } from '../config/log.ts';
import { once } from '../config/timing.ts';
import { type Database, DatabaseFault } from './sql.ts';
import { makeTables, requireKnown } from './tables.ts';

/** Where the database is: a file in the data directory, or Postgres. */
export interface DatabaseSettings {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
}

/** A database with all its tables. */
interface Complete extends Database {
  /** Those that were missing beside submissions, and are made anew, empty: nobody knows what was in them. */
  readonly lost: readonly string[];
}

export const LOST_FIX =
  'they are empty now. Restore a whole back-up (aval outbox restore FILE --replace). Without the table audit nobody knows ' +
  'who was erased: erase them again (aval outbox erase --email ADDRESS)';

export const databaseFile = (dataDirectory: string) => join(dataDirectory, 'aval.db');

/**
 * Opens the configured database with all its tables.
 * @throws DatabaseFault; DatabaseRefused for a damaged or newer database
 */
export const openDatabase = async (settings: DatabaseSettings): Promise<Complete> =>
  withTables(await connect(settings));

/** Makes what is missing in a database, and closes one that cannot be used. */
export async function withTables(database: Database): Promise<Complete> {
  const lost = await makeTables(database).catch(async error => {
    await database.close();
    throw error;
  });
  return {
    ...database,
    lost,
    // A newer program may change the tables while this one runs.
    exclusively: (name, work) =>
      database.exclusively(name, async inside => {
        await requireKnown(inside);
        return work(inside);
      }),
  };
}

/** Opens the database as it stands. It loads only the driver it needs. */
export async function connect({ dataDirectory, databaseUrl }: DatabaseSettings): Promise<Database> {
  if (databaseUrl !== undefined) return (await import('./postgres.ts')).openPostgres(databaseUrl);
  return (await import('./sqlite.ts')).openSqlite(databaseFile(dataDirectory));
}

/**
 * The configured database, opened on first use. If that failed, the next use tries again: a full disk or an absent server may
 * be back by then.
 */
export function openedWhenAsked(settings: DatabaseSettings, log?: Log): Database {
  let inUse: Complete | undefined;
  let isClosed = false;
  const opened = once(async () => {
    inUse = await openDatabase(settings);
    const { lost } = inUse;
    if (lost.length > 0) log?.('error', 'tables lost', { tables: lost, fix: LOST_FIX, alarm: true });
    if (isClosed) await inUse.close();
    return inUse;
  });
  const ask = async <Result>(act: (database: Database) => Promise<Result>) => {
    if (isClosed) throw new DatabaseFault('DATABASE_CLOSED', 'The database is closed.');
    return act(await opened());
  };
  return {
    dialect: settings.databaseUrl === undefined ? 'sqlite' : 'postgres',
    query: statement => ask(database => database.query(statement)),
    exclusively: (name, work) => ask(database => database.exclusively(name, work)),
    snapshot: work => ask(database => database.snapshot(work)),
    async close() {
      isClosed = true;
      await inUse?.close().catch(() => {});
    },
  };
}
