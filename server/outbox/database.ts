import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { once } from '../config/timing.ts';
import type { OpenOptions } from './postgres.ts';
import { type Database, DatabaseFault } from './sql.ts';
import { makeTables, requireKnown } from './tables.ts';

/** Where the database is: a file in the data directory, or Postgres. */
export interface DatabaseSettings {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
}

export const databaseFile = (dataDirectory: string) => join(dataDirectory, 'aval.db');

/**
 * Opens the configured database for a server, and makes the tables of an empty one.
 * @throws DatabaseFault; DatabaseRefused for a damaged database, or one of another version
 *
 * @example
 * const database = await openDatabase({ dataDirectory: '.aval' });
 * await database.query(sql`SELECT COUNT(*) FROM submissions`);
 */
export const openDatabase = (settings: DatabaseSettings): Promise<Database> =>
  openWith(settings, {}, makeTables);

/**
 * Opens the configured database for a command beside running servers. It makes no table.
 * @throws DatabaseFault; DatabaseRefused for a damaged database, or one of another version; Error if no server
 * has made a file: without the server's settings a command would use an empty one
 * @example const database = await openForCommand(config, { readOnly: true });
 */
export async function openForCommand(settings: DatabaseSettings, options: OpenOptions): Promise<Database> {
  const { dataDirectory, databaseUrl } = settings;
  if (databaseUrl === undefined && !existsSync(databaseFile(dataDirectory))) {
    throw new Error(
      `there is no database in ${resolve(dataDirectory)}: ` +
        'run this with the settings of the server, DATA_DIR or DATABASE_URL. ' +
        'The server makes the database when it starts.',
    );
  }
  return openWith(settings, options, ({ query }) => requireKnown(query));
}

/** Opens the database without making tables. It loads only the driver that it needs. */
export async function connect(settings: DatabaseSettings, options: OpenOptions = {}): Promise<Database> {
  const { dataDirectory, databaseUrl } = settings;
  if (databaseUrl !== undefined) return (await import('./postgres.ts')).openPostgres(databaseUrl, options);
  return (await import('./sqlite.ts')).openSqlite(databaseFile(dataDirectory), options);
}

async function openWith(
  settings: DatabaseSettings,
  options: OpenOptions,
  check: (database: Database) => Promise<void>,
): Promise<Database> {
  const database = await connect(settings, options);
  try {
    await check(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The configured database, opened by its first use. After a failure the next use tries again: a full disk or
 * an absent server may be back.
 */
export function openedWhenAsked(settings: DatabaseSettings): Database {
  let inUse: Database | undefined;
  let isClosed = false;
  const opened = once(async () => {
    inUse = await openDatabase(settings);
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
    exclusively: (names, work) => ask(database => database.exclusively(names, work)),
    async close() {
      isClosed = true;
      await inUse?.close().catch(() => {});
    },
  };
}
