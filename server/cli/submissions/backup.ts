import { copyFile, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { databaseFile, openDatabase } from '../../database/database.ts';
import { DatabaseRefused } from '../../database/sql.ts';
import { openSqlite } from '../../database/sqlite.ts';
import { connect } from '../../delivery/open-submissions.ts';
import { createArchive } from '../../submissions/archive.ts';
import { SUBMISSIONS } from '../../submissions/schema.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';

const POSTGRES = 'DATABASE_URL names a Postgres: back it up and restore it with pg_dump and pg_restore.';

/** `aval backup FILE`: a consistent copy of the database, beside whoever reads and writes. */
export async function backup(file: string, { stderr }: Output): Promise<ExitCode> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined) throw new Error(POSTGRES);
  if (await exists(file)) throw new Error(`${file} is there already; name a new file`);
  await (await connect(config, createLog())).close();
  const count = await countAt(config.dataDirectory);
  const database = await openSqlite(databaseFile(config.dataDirectory));
  await database.copyTo(file).finally(() => database.close());
  writeLines(stderr, [`${count} submissions in ${file}`]);
  return 0;
}

/**
 * `aval restore FILE`: puts the content of a back-up in place of what is there, in one commit, beside whoever reads and
 * writes. The back-up itself is not touched: one of an older version is brought up to date in a copy.
 */
export async function restore(
  file: string,
  { replace }: { readonly replace?: boolean },
  { stderr }: Output,
): Promise<ExitCode> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined) throw new Error(POSTGRES);
  if (!(await exists(file))) throw new Error(`${file}: no such file`);
  const folder = await mkdtemp(join(tmpdir(), 'aval-restore-'));
  try {
    const copy = databaseFile(folder);
    await copyFile(file, copy);
    const count = await countAt(folder);
    await makeRoom(config.dataDirectory, count, replace, stderr);
    const database = await openSqlite(databaseFile(config.dataDirectory));
    await database.replaceBy(copy).finally(() => database.close());
    writeLines(stderr, [`${count} submissions restored`]);
    return 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Sees that what is there may go; what cannot even be read is set aside. */
async function makeRoom(directory: string, count: number, replace = false, stderr: Output['stderr']): Promise<void> {
  try {
    const there = await countAt(directory);
    if (there === 0 || replace) return;
    throw new Error(
      `there are ${there} submissions already; --replace puts the ${count} of the back-up in their place`,
    );
  } catch (error) {
    if (!(error instanceof DatabaseRefused && replace)) throw error;
    const aside = `${databaseFile(directory)}.${new Date().toISOString().replaceAll(':', '-')}`;
    for (const end of ['', '-wal', '-shm']) {
      await rename(`${databaseFile(directory)}${end}`, `${aside}${end}`).catch(() => {});
    }
    writeLines(stderr, [`what was there is now ${aside}`]);
    await countAt(directory);
  }
}

/** How many submissions a data directory has; its database is made, or brought up to date. */
async function countAt(dataDirectory: string): Promise<number> {
  const database = await openDatabase({ dataDirectory }, SUBMISSIONS);
  const counts = await createArchive(database)
    .counts()
    .finally(() => database.close());
  return counts.reduce((sum, { count }) => sum + count, 0);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
