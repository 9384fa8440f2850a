import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { exists } from '../../owner/files.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { countText } from '../../tools/words/counts.ts';
import { sql } from '../outbox/sql.ts';
import { countOf } from '../outbox/stored-submission.ts';
import { withDatabase } from './outbox.ts';

/**
 * `aval outbox backup FILE`: copies the SQLite database while servers run. To restore it, stop the servers
 * and put it in the place of `aval.db`.
 * @throws Error for Postgres, which has `pg_dump`
 */
export function backup(file: string): Promise<ExitCode> {
  return withDatabase({ readOnly: true }, async ({ dialect, query }) => {
    if (dialect === 'postgres') throw new Error('the database is Postgres: pg_dump makes its back-ups');
    await makeEmptyFile(file);
    // VACUUM INTO reads one snapshot, with the newest commits in the journal (sqlite.org/lang_vacuum.html).
    await query(sql`VACUUM INTO ${file}`).catch(async error => {
      // Part of a back-up would look like one.
      await rm(file, { force: true });
      throw error;
    });
    const copy = await open(file, 'r+');
    await copy.sync().finally(() => copy.close());
    writeLines(process.stderr, [`${countText(await countOf(query), 'submission')} in ${file}`]);
    return 0;
  });
}

/** Makes a file that only its owner can read, because it will have people's addresses. */
async function makeEmptyFile(file: string): Promise<void> {
  if (await exists(file)) throw new Error(`${file} is there already; name a new file`);
  const folder = dirname(resolve(file));
  if (!(await exists(folder)))
    throw new Error(`there is no folder ${folder}: install -d -m 700 ${folder} makes it`);
  const empty = await open(file, 'wx', 0o600);
  await empty.close();
}
