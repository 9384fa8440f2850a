import { join } from 'node:path';
import { once } from '../config/once.ts';
import { migrate, requireKnown, type Schema } from './migrate.ts';
import { type Database, DatabaseFault } from './sql.ts';

/** Where the database is: a file in the data directory, or Postgres. */
export interface DatabaseSettings {
  readonly dataDirectory: string;
  /** `postgres://…` */
  readonly databaseUrl?: string | undefined;
}

export const databaseFile = (dataDirectory: string) => join(dataDirectory, 'aval.db');

/**
 * Opens the configured database and brings the given tables up to date. It loads only the driver it needs.
 * @throws DatabaseFault; DatabaseRefused for a damaged or newer database
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
 * The same database, whose transactions fail with DatabaseRefused after a newer program has changed its tables: this program
 * does not know the rows that the newer one needs.
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
 * Opens a database on first use, and tries again on the next use if that failed: a full disk or an absent server may be back
 * by then.
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
