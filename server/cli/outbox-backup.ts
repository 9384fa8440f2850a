import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { exists } from '../../owner/files.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { quoted } from '../../owner/own-command.ts';
import { counted } from '../../tools/words/counts.ts';
import { type Config, readConfig } from '../config/config.ts';
import { all, countOf } from '../outbox/archive.ts';
import * as backups from '../outbox/backup.ts';
import { connect, databaseFile, openDatabase, withTables } from '../outbox/database.ts';
import { DatabaseRefused, sql, words } from '../outbox/sql.ts';
import { openSqlite } from '../outbox/sqlite.ts';
import { TABLES } from '../outbox/tables.ts';
import { acting, nameUnreadable, withDatabase } from './outbox.ts';

/** `aval outbox backup FILE`: everything in the database, SQLite or Postgres, in one file, beside whoever reads and writes. */
export function backup(file: string): Promise<ExitCode> {
  return withDatabase(async (database, config) => {
    if (await exists(file)) throw new Error(`${file} is there already; name a new file`);
    const folder = dirname(resolve(file));
    if (!(await exists(folder)))
      throw new Error(`there is no folder ${folder}: install -d -m 700 ${quoted(folder)} makes it`);
    const count = await backups.backup(database, file, moment(file));
    writeLines(process.stderr, [`${counted(count, 'submission')} of ${placeOf(config)} in ${file}`]);
    return 0;
  });
}

/**
 * `aval outbox restore FILE`: puts a back-up in place of what is there, in one commit, beside whoever reads and writes. The
 * back-up itself is not touched: one of an older version is brought up to date in a copy.
 */
export async function restore(
  file: string,
  { replace = false }: { readonly replace?: boolean },
): Promise<ExitCode> {
  const config = readConfig(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'aval-restore-'));
  try {
    const copy = await openCopy(file, join(folder, 'copy.db'));
    if (copy.lost.length > 0)
      writeLines(process.stderr, [
        `WARNING: ${file} lacks ${copy.lost.join(', ')}: nothing of it is restored`,
      ]);
    const there = await openForRestore(config, replace);
    try {
      const count = replace ? 0 : await countOf(there.query);
      if (count > 0)
        throw new Error(
          `${counted(count, 'submission')} already in ${placeOf(config)}; --replace puts ${file} in their place`,
        );
      tell(await backups.restore(there, copy, moment(file)), config);
      for await (const record of all(there)) nameUnreadable([record]);
    } finally {
      await Promise.all([copy.close(), there.close()]);
    }
    return 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tell(restored: backups.Restored, config: Config): void {
  const { stderr } = process;
  const { submissions, erased, erasuresUnknownSinceMs: since } = restored;
  writeLines(stderr, [`${counted(submissions, 'submission')} restored into ${placeOf(config)}`]);
  if (erased > 0) writeLines(stderr, [`${erased} erased again: these people were erased after the back-up`]);
  if (since === undefined) return;
  const after = since === 0 ? '' : ` after ${new Date(since).toISOString()}`;
  const fix = 'Erase them again: aval outbox erase --email ADDRESS';
  writeLines(stderr, [`WARNING: nothing here tells who was erased${after}. ${fix}`]);
}

const moment = (file: string) => ({ ...acting(), about: basename(file) });

const placeOf = ({ dataDirectory, databaseUrl }: Config) =>
  databaseUrl === undefined ? resolve(databaseFile(dataDirectory)) : 'Postgres';

/** @throws Error for a file that `aval outbox backup` did not write; its copy would be brought up to date, and be an empty back-up */
async function openCopy(file: string, path: string) {
  await copyFile(file, path);
  const looks = await openSqlite(path).catch(() => undefined);
  const isBackup = await looks?.query(sql`SELECT 1 FROM submissions LIMIT 1`).then(
    () => true,
    () => false,
  );
  await looks?.close();
  if (!isBackup)
    throw new Error(`${file} is no back-up, or a damaged one: name a file that aval outbox backup wrote`);
  return withTables(await openSqlite(path));
}

/** What cannot be used makes room only with `--replace`: a file is set aside, tables of a newer version are dropped. */
async function openForRestore(config: Config, replace: boolean) {
  try {
    return await openDatabase(config);
  } catch (error) {
    if (!(error instanceof DatabaseRefused && replace)) throw error;
    if (config.databaseUrl === undefined) await setAside(databaseFile(config.dataDirectory));
    else await dropTables(config);
    return openDatabase(config);
  }
}

async function setAside(file: string): Promise<void> {
  const aside = `${file}.${new Date().toISOString().replaceAll(':', '-')}`;
  for (const end of ['', '-wal', '-shm']) await rename(`${file}${end}`, `${aside}${end}`).catch(() => {});
  writeLines(process.stderr, [`what was there is now ${aside}`]);
}

async function dropTables(config: Config): Promise<void> {
  const database = await connect(config);
  const tables = [...Object.keys(TABLES), 'schemas'].toReversed().join(', ');
  await database.query(words(`DROP TABLE IF EXISTS ${tables}`)).finally(() => database.close());
}
