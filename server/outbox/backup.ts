import { rm } from 'node:fs/promises';
import { type Acting, audited, countOf, noteAudit } from './archive.ts';
import { withTables } from './database.ts';
import { eraseAgain } from './erasure.ts';
import { commaList, type Database, type Query, type SqlRow, sql, tuple, words } from './sql.ts';
import { openSqlite } from './sqlite.ts';
import { TABLES } from './tables.ts';

/** Which operator makes or restores the back-up of this name, and when. */
type Moment = Acting & { readonly about: string };

/**
 * Writes all tables, as they are at one moment, into a new SQLite file, whatever the database is.
 * @returns how many submissions are in it
 * @throws DatabaseFault; then there is no file
 */
export async function backup(
  database: Database,
  file: string,
  { about, ...acting }: Moment,
): Promise<number> {
  // In the copy too: a restore knows by it whether the place has the record of erasures since.
  await noteAudit(database.query, 'backup', about, acting);
  const copy = await withTables(await openSqlite(file));
  try {
    await database.snapshot(read => copy.exclusively('backup', write => copyAll(read, write)));
    return await countOf(copy.query);
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    throw error;
  } finally {
    await copy.close();
  }
}

export interface Restored {
  readonly submissions: number;
  /** So many came back by it, and are erased again. */
  readonly erased: number;
  /** When the back-up was made, where nothing here tells who was erased since; `undefined`: the record is whole. */
  readonly erasuresUnknownSinceMs: number | undefined;
}

/** Puts a back-up in place of what is there, in one commit. What operators did since stays known, and the erased stay erased. */
export function restore(database: Database, copy: Database, { about, ...acting }: Moment): Promise<Restored> {
  return database.exclusively('restore', async query => {
    const known = await audited(query);
    const made = (await audited(copy.query)).findLast(({ what }) => what === 'backup');
    await clear(database.dialect, query);
    await copyAll(copy.query, query);
    for (const row of known) await addAudit(query, row);
    await noteAudit(query, 'restore', about, acting);
    const isKnown = known.some(
      ({ what, at, about }) => what === 'backup' && at === made?.at && about === made?.about,
    );
    return {
      submissions: await countOf(query),
      erased: await eraseAgain(query, acting),
      erasuresUnknownSinceMs: isKnown ? undefined : Number(made?.at ?? 0),
    };
  });
}

/** TRUNCATE also keeps other instances from writing until the commit. */
async function clear(dialect: Database['dialect'], query: Query): Promise<void> {
  const tables = Object.keys(TABLES).toReversed();
  if (dialect === 'postgres') await query(words(`TRUNCATE ${tables.join(', ')}`));
  else for (const table of tables) await query(words(`DELETE FROM ${table}`));
}

/** Rows of one statement: SQLite takes 32,766 values (sqlite.org/limits.html). */
const PAGE = 1000;

async function copyAll(read: Query, write: Query): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES)) {
    const names = Object.keys(columns);
    const all = commaList(names.map(words));
    for (let at = 0; ; at += PAGE) {
      const rows = await read(
        sql`SELECT ${all} FROM ${words(table)} ORDER BY ${all} LIMIT ${PAGE} OFFSET ${at}`,
      );
      if (rows.length === 0) break;
      const values = commaList(rows.map(row => tuple(names.map(name => sqlValue(row[name])))));
      await write(sql`INSERT INTO ${words(table)} (${all}) VALUES ${values}`);
    }
  }
}

async function addAudit(query: Query, { at, who, what, about }: SqlRow): Promise<void> {
  const values = tuple([sqlValue(at), sqlValue(who), sqlValue(what), sqlValue(about)]);
  const [same] = await query(sql`SELECT 1 FROM audit WHERE (at, who, what, about) = ${values}`);
  if (!same) await query(sql`INSERT INTO audit (at, who, what, about) VALUES ${values}`);
}

const sqlValue = (value: unknown) => (typeof value === 'number' || value === null ? value : String(value));
