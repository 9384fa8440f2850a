import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { exists } from '../../owner/files.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { quoted } from '../../owner/own-command.ts';
import { counted } from '../../tools/words/counts.ts';
import { readConfig } from '../config/config.ts';
import * as archive from '../outbox/archive.ts';
import { addAudit, audited, erasedRecipients } from '../outbox/audit.ts';
import { databaseFile, openDatabase } from '../outbox/database.ts';
import { versionOf } from '../outbox/migrate.ts';
import { type Database, DatabaseRefused } from '../outbox/sql.ts';
import { openSqlite } from '../outbox/sqlite.ts';
import { SUBMISSIONS } from '../outbox/tables.ts';
import { configWithDatabase, note } from './outbox.ts';
import { eraseOnceMore } from './outbox-erase.ts';

const POSTGRES = 'DATABASE_URL names a Postgres: back it up and restore it with pg_dump and pg_restore.';

/** `aval outbox backup FILE`: a consistent copy of the database, beside whoever reads and writes. */
export async function backup(file: string, { stderr }: Output): Promise<ExitCode> {
  const config = await configWithDatabase();
  if (config.databaseUrl !== undefined) throw new Error(POSTGRES);
  if (await exists(file)) throw new Error(`${file} is there already; name a new file`);
  const folder = dirname(resolve(file));
  if (!(await exists(folder)))
    throw new Error(`there is no folder ${folder}: install -d -m 700 ${quoted(folder)} makes it`);
  // In the copy too: a restore then knows who made it.
  await lend(config.dataDirectory, database => note(database, 'backup', basename(file)));
  const count = await countAt(config.dataDirectory);
  const source = resolve(databaseFile(config.dataDirectory));
  const database = await openSqlite(source);
  await database.copyTo(file).finally(() => database.close());
  writeLines(stderr, [`${counted(count, 'submission')} of ${source} in ${file}`]);
  return 0;
}

/**
 * `aval outbox restore FILE`: puts the content of a back-up in place of what is there, in one commit, beside whoever reads and
 * writes. The back-up itself is not touched: one of an older version is brought up to date in a copy, and who was erased
 * since the back-up is erased there again.
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
    await requireBackup(file, copy);
    const count = await countAt(folder);
    await makeRoom(config.dataDirectory, count, replace, stderr);
    const target = resolve(databaseFile(config.dataDirectory));
    const erased = await carryOver(config.dataDirectory, folder, basename(file));
    if (erased > 0) writeLines(stderr, [`${erased} erased again: these people were erased after the back-up`]);
    const database = await openSqlite(target);
    await database.replaceBy(copy).finally(() => database.close());
    writeLines(stderr, [`${counted(count, 'submission')} restored into ${target}`]);
    return 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws Error for a file that `aval outbox backup` did not write; its copy would be brought up to date, and be an empty back-up */
async function requireBackup(file: string, copy: string): Promise<void> {
  const version = await openSqlite(copy)
    .then(database => versionOf(database, SUBMISSIONS).finally(() => database.close()))
    .catch(error => {
      if (error instanceof DatabaseRefused && error.code === 'DATABASE_DAMAGED') return 0;
      throw error;
    });
  if (version === 0)
    throw new Error(`${file} is no back-up, or a damaged one: name a file that aval outbox backup wrote`);
}

/** Sees that what is there may go; what cannot even be read is set aside. */
async function makeRoom(directory: string, count: number, replace = false, stderr: Output['stderr']): Promise<void> {
  try {
    const there = await countAt(directory);
    if (there === 0 || replace) return;
    throw new Error(
      `${counted(there, 'submission')} already in ${resolve(databaseFile(directory))}; --replace puts the ${count} of the back-up in their place`,
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

/**
 * Brings what operators did since the back-up into its copy, and erases there who was erased since.
 * @returns how many submissions were erased
 */
async function carryOver(directory: string, copyDirectory: string, file: string): Promise<number> {
  const rows = await lend(directory, audited);
  return lend(copyDirectory, async copy => {
    await addAudit(copy, rows);
    await note(copy, 'restore', file);
    return eraseOnceMore(copy, await erasedRecipients(copy));
  });
}

/** How many submissions a data directory has. */
async function countAt(dataDirectory: string): Promise<number> {
  const counts = await lend(dataDirectory, archive.counts);
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Lends the database of a data directory, made or brought up to date. */
async function lend<Result>(dataDirectory: string, act: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase({ dataDirectory }, SUBMISSIONS);
  return act(database).finally(() => database.close());
}
