import { type Database, DatabaseRefused, type Query, sql } from './sql.ts';

/** The tables of one room. Never change a released step: add another. */
export interface Schema {
  /** The name of these steps in the database. */
  readonly name: string;
  /** The statements of step 1, 2, …, in SQL that both dialects read. */
  readonly steps: readonly (readonly string[])[];
}

/**
 * Brings the tables of a room up to date, one process at a time.
 * @throws DatabaseRefused if a newer program has changed them
 */
export async function migrate(database: Database, { name, steps }: Schema): Promise<void> {
  await database.exclusively('migrate', async query => {
    await query(sql`CREATE TABLE IF NOT EXISTS schemas (name TEXT PRIMARY KEY, version INTEGER NOT NULL)`);
    const version = await requireKnown(query, { name, steps });
    for (const text of steps.slice(version).flat()) await query({ text, values: [] });
    await query(sql`
      INSERT INTO schemas (name, version) VALUES (${name}, ${steps.length})
      ON CONFLICT (name) DO UPDATE SET version = excluded.version`);
  });
}

/**
 * The number of steps that a room's tables have run; 0 without tables.
 * @throws DatabaseRefused if a newer program has changed them
 */
export function versionOf({ query }: Database, schema: Schema): Promise<number> {
  return requireKnown(statement => query(statement).catch(() => []), schema);
}

/**
 * @returns the number of steps that a room's tables have run
 * @throws DatabaseRefused if a newer program has changed them
 */
export async function requireKnown(query: Query, { name, steps }: Schema): Promise<number> {
  const [row] = await query(sql`SELECT version FROM schemas WHERE name = ${name}`);
  const version = Number(row?.version ?? 0);
  if (version <= steps.length) return version;
  throw new DatabaseRefused(
    'DATABASE_NEWER',
    `The database was changed by a newer version of this program (${name}: ${version}, known here: ${steps.length}). ` +
      'Start that version, or restore an older back-up with this one: aval outbox restore FILE --replace.',
  );
}
