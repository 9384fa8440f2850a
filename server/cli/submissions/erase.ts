import { readdir, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type ExitCode, type Output, writeLines } from '../../../owner/terminal/output.ts';
import type { Config } from '../../config/config.ts';
import { DAY_MS } from '../../outbox/clock.ts';
import { eraseEmail, purgeFinished } from '../../outbox/store/erasure.ts';
import { importedJournal } from '../../outbox/store/import-journal.ts';
import { withDatabase } from './outbox.ts';

/** `aval outbox purge`: erases the fields of what was finished longer ago. */
export function purge(olderThan: string, { stdout, stderr }: Output): Promise<ExitCode> {
  const days = /^(\d+)d?$/.exec(olderThan)?.[1];
  if (days === undefined) throw new Error('--older-than must be a number of days, for example 30d');
  return withDatabase(async (database, config) => {
    const nowMs = Date.now();
    const count = await purgeFinished(database, nowMs - Number(days) * DAY_MS, nowMs);
    writeLines(stdout, [`${count} purged`]);
    await noteOtherCopies(config, stderr);
    return 0;
  });
}

/** `aval outbox erase --email ADDRESS`: erases everything of one person. 1 when there was nothing. */
export function erase(email: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withDatabase(async (database, config) => {
    const erased = await eraseEmail(database, email, { by: userInfo().username, nowMs: Date.now() });
    writeLines(
      stdout,
      erased.map(
        ({ reference, wasPending }) =>
          `${reference}  erased${wasPending ? '; it was still pending, the team never got it' : ''}`,
      ),
    );
    await removeFiles(
      config,
      erased.map(({ id }) => id),
    );
    writeLines(stderr, [`${erased.length} erased. Mailboxes, back-ups and exports keep their copies.`]);
    await noteOtherCopies(config, stderr);
    return erased.length > 0 ? 0 : 1;
  });
}

/** What a dry run wrote of these submissions. */
async function removeFiles({ dataDirectory }: Config, ids: readonly string[]): Promise<void> {
  const directory = join(dataDirectory, 'mail');
  const names = await readdir(directory).catch(() => []);
  const theirs = names.filter(name => ids.some(id => name.startsWith(`${id}.`)));
  await Promise.all(theirs.map(name => rm(join(directory, name), { force: true })));
}

async function noteOtherCopies({ dataDirectory }: Config, stderr: Output['stderr']): Promise<void> {
  const journal = importedJournal(dataDirectory);
  if (!(await stat(journal).catch(() => undefined))) return;
  writeLines(stderr, [
    `${journal} still holds what was imported from version 0.1.0; delete it when you need it no more.`,
  ]);
}
