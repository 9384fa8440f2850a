import { join } from 'node:path';
import { once } from '../config/once.ts';
import { migrate, requireKnown, type Schema } from './migrate.ts';
import { type Database, DatabaseFault } from './sql.ts';

/** Where the database is: a file below the data directory, or Postgres. */
export interface DatabaseSettings {
  readonly dataDirectory: string;
  /** `postgres://…` */
  readonly databaseUrl?: string | undefined;
}

export const databaseFile = (dataDirectory: string) => join(dataDirectory, 'aval.db');

/**
 * The database of the settings, with the tables that are asked for. Each driver is loaded only where it is used.
 * @throws DatabaseFault; DatabaseRefused for one that is damaged or of a newer program
 */
export async function openDatabase(settings: DatabaseSettings, ...schemas: readonly Schema[]): Promise<Database> {
  const database = await connect(settings);
  try {
    for (const schema of schemas) await migrate(database, schema);
    return refusingNewer(database, schemas);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The same database. Once a newer program has changed its tables, each transaction fails with DatabaseRefused: this
 * program does not know what the newer one wants to find in a row.
 */
function refusingNewer({ dialect, query, exclusively, close }: Database, schemas: readonly Schema[]): Database {
  return {
    ...{ dialect, query, close },
    exclusively: (name, work) =>
      exclusively(name, async inside => {
        for (const schema of schemas) await requireKnown(inside, schema);
        return work(inside);
      }),
  };
}

async function connect({ dataDirectory, databaseUrl }: DatabaseSettings): Promise<Database> {
  if (databaseUrl !== undefined) return (await import('./postgres.ts')).openPostgres(databaseUrl);
  return (await import('./sqlite.ts')).openSqlite(databaseFile(dataDirectory));
}

/**
 * A database that is opened when it is first asked, and again by the next to ask where that failed: a full disk or a server
 * that is away ends by itself, and the process need not.
 */
export function openedWhenAsked(dialect: Database['dialect'], open: () => Promise<Database>): Database {
  let inUse: Database | undefined;
  let isClosed = false;
  const opened = once(async () => {
    inUse = await open();
    if (isClosed) await inUse.close();
    return inUse;
  });
  const ask = async <Result>(act: (database: Database) => Promise<Result>) => {
    if (isClosed) throw new DatabaseFault('DATABASE_CLOSED', 'The database is closed.');
    return act(await opened());
  };
  return {
    dialect,
    query: statement => ask(database => database.query(statement)),
    exclusively: (name, work) => ask(database => database.exclusively(name, work)),
    async close() {
      isClosed = true;
      await inUse?.close().catch(() => {});
    },
  };
}
