import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import type { Config } from '../config/config.ts';
import { erasedRecipients } from '../outbox/audit.ts';
import { eraseRecipient } from '../outbox/erasure.ts';
import { recipientOf } from '../outbox/repeats.ts';
import type { Database } from '../outbox/sql.ts';
import { operator, withDatabase } from './outbox.ts';

/** `aval outbox erase --email ADDRESS`: erases everything of one person. 1 when there was nothing. */
export function erase(email: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withDatabase(async (database, config) => {
    const erased = await eraseRecipient(database, recipientOf(email), { by: operator(), nowMs: Date.now() });
    for (const { reference, wasPending } of erased) {
      const pending = wasPending ? '; it was still pending, the team never got it' : '';
      writeLines(stdout, [`${reference}  erased${pending}`]);
    }
    const ids = erased.map(({ id }) => id);
    await removeFiles(config, ids);
    writeLines(stderr, [`${erased.length} erased. Mailboxes, back-ups and exports keep their copies.`]);
    return erased.length > 0 ? 0 : 1;
  });
}

/** `aval outbox erase --again`: erases everybody who was erased before, after a restore with `pg_restore`. */
export function eraseAgain({ stdout }: Output): Promise<ExitCode> {
  return withDatabase(async database => {
    const count = await eraseOnceMore(database, await erasedRecipients(database));
    writeLines(stdout, [`${count} erased again`]);
    return 0;
  });
}

/** @param recipients hashes of mailboxes @returns how many submissions were erased */
export async function eraseOnceMore(database: Database, recipients: readonly string[]): Promise<number> {
  const erasing = { by: operator(), nowMs: Date.now() };
  let count = 0;
  for (const recipient of recipients) count += (await eraseRecipient(database, recipient, erasing)).length;
  return count;
}

/** What a dry run wrote of these submissions. */
async function removeFiles({ dataDirectory }: Config, ids: readonly string[]): Promise<void> {
  const directory = join(dataDirectory, 'mail');
  const names = await readdir(directory).catch(() => []);
  const theirs = names.filter(name => ids.some(id => name.startsWith(`${id}.`)));
  await Promise.all(theirs.map(name => rm(join(directory, name), { force: true })));
}
