import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadProfile } from '../../brand/profile/profile.ts';
import { escapeInvisible, visibleLine } from '../../brand/profile/visible.ts';
import { createFile, OWNER_ONLY } from '../../owner/files.ts';
import { type ExitCode, writeJson, writeLines } from '../../owner/output.ts';
import { mailAddress } from '../../tools/fields.ts';
import { countText } from '../../tools/words/counts.ts';
import { type Config, readConfig } from '../config/config.ts';
import { openForCommand } from '../outbox/database.ts';
import { retryNow } from '../outbox/deliveries.ts';
import { eraseRecipient } from '../outbox/erasure.ts';
import * as installation from '../outbox/installation.ts';
import type { OpenOptions } from '../outbox/postgres.ts';
import { recipientOf } from '../outbox/receive.ts';
import { type Database, sql } from '../outbox/sql.ts';
import * as submissions from '../outbox/stored-submission.ts';
import { entryLine, outboxEntry } from './outbox-entry.ts';

/**
 * `aval outbox list`: prints the newest 100 without personal data, newest last. Exit code 1 if one is overdue.
 */
export function list(state: submissions.ListedState | undefined): Promise<ExitCode> {
  return withDatabase({ readOnly: true }, async database => {
    const nowMs = Date.now();
    const records = await submissions.list(database, { state, limit: 100 }, nowMs);
    const all = await submissions.countOf(database.query);
    const overdue = await submissions.countOverdue(database, nowMs);
    writeLines(
      process.stdout,
      records.map(record => entryLine(outboxEntry(record, nowMs))),
    );
    const hidden = records.length < all ? ` (${records.length} shown)` : '';
    writeLines(process.stderr, [`${countText(all, 'submission')}, ${overdue} overdue${hidden}`]);
    return overdue > 0 ? 1 : 0;
  });
}

/**
 * `aval outbox show NAME`: prints a submission with its fields and deliveries. Exit code 1 if there is none.
 */
export function show(name: string): Promise<ExitCode> {
  return withDatabase({ readOnly: true }, async ({ query }) => {
    const record = await submissions.find(query, name);
    if (!record) return unknown(name);
    writeJson(process.stdout, {
      ...outboxEntry(record, Date.now()),
      reply: record.reply,
      fields: record.fields,
    });
    return 0;
  });
}

/**
 * `aval outbox export`: prints submissions with their fields as JSON, while servers run. Exit code 1 if there
 * is none of the person.
 * @param email only submissions of this mailbox, in any spelling
 */
export function exportAll({ email }: { readonly email?: string }): Promise<ExitCode> {
  return withDatabase({ readOnly: true }, async database => {
    const { stdout, stderr } = process;
    const nowMs = Date.now();
    const recipient = email === undefined ? undefined : recipientNamed(email);
    let separator = '[\n';
    for await (const record of submissions.all(database, recipient)) {
      const text = JSON.stringify({ ...outboxEntry(record, nowMs), fields: record.fields });
      stdout.write(`${separator}${escapeInvisible(text)}`);
      separator = ',\n';
    }
    const isEmpty = separator === '[\n';
    stdout.write(isEmpty ? '[]\n' : '\n]\n');
    if (recipient === undefined || !isEmpty) return 0;
    writeLines(stderr, ['nothing is kept of this mailbox']);
    return 1;
  });
}

/**
 * `aval outbox retry NAME` or `--all-pending`: makes deliveries due now; a running server sends them. Exit
 * code 1 if the named submission has nothing to deliver.
 */
export function retry(name: string | undefined): Promise<ExitCode> {
  return withDatabase({}, async database => {
    const named = name === undefined ? undefined : await submissions.find(database.query, name);
    if (name !== undefined && !named) return unknown(name);
    const references = await retryNow(database, Date.now(), named?.id);
    const count = references.length;
    writeLines(
      process.stdout,
      references.map(reference => `${reference}  due now`),
    );
    const advice = count > 0 ? '; a running server sends it within 15 seconds' : '';
    writeLines(process.stderr, [`${countText(count, 'submission')} due now${advice}`]);
    return named && count === 0 ? 1 : 0;
  });
}

/** The mailbox of an address as the forms take it. @throws Error for any other text */
function recipientNamed(email: string): string {
  const address = mailAddress(visibleLine(email).trim());
  if (address === undefined)
    throw new Error(`--email: ${email} is no e-mail address, such as ana@client.example`);
  return recipientOf(address);
}

/**
 * `aval outbox erase --email ADDRESS`: erases all data of a person. Exit code 1 if there was none, or if it is
 * still in the journal.
 */
export function erase(email: string): Promise<ExitCode> {
  return withDatabase({}, async (database, { dataDirectory }) => {
    const { erased, isInJournal } = await eraseRecipient(database, recipientNamed(email));
    const directory = join(dataDirectory, 'mail');
    const dryRun = await readdir(directory).catch(() => []);
    for (const { id, reference, state } of erased) {
      for (const file of dryRun.filter(file => file.startsWith(`${id}.`)))
        await rm(join(directory, file), { force: true });
      const pending = state === 'pending' ? '; its mail was still due, and may have reached the team' : '';
      writeLines(process.stdout, [`${reference}  erased${pending}`]);
    }
    writeLines(process.stderr, [
      `${erased.length} erased. Mailboxes, back-ups and exports keep their copies.`,
    ]);
    if (isInJournal) writeLines(process.stderr, [STILL_IN_JOURNAL]);
    return erased.length > 0 && !isInJournal ? 0 : 1;
  });
}

const STILL_IN_JOURNAL =
  'The deleted data is still in the journal, aval.db-wal: another program reads the database. ' +
  'Run this command again until this line is gone; it then finds nothing to erase, with exit code 1.';

/**
 * `aval outbox rebind`: binds the database to the profile of BRAND_FILE, after its id changed on purpose.
 * @throws Error without BRAND_FILE: the store would belong to the bundled example
 */
export function rebind(): Promise<ExitCode> {
  return withDatabase({}, async (database, { brandFile, isExample }) => {
    if (isExample) throw new Error('BRAND_FILE is not set: run this with the settings of the server');
    const { profile } = await loadProfile(brandFile);
    const owner = await installation.boundTo(database);
    if (owner === profile.id) {
      writeLines(process.stdout, [`${owner} already; nothing to do`]);
      return 0;
    }
    await installation.rebind(database, profile.id);
    writeLines(process.stdout, [`${owner ?? 'no profile yet'}, now ${profile.id}; restart its servers`]);
    return 0;
  });
}

/**
 * `aval outbox backup FILE`: copies the SQLite database while servers run. To restore it, stop the servers
 * and put it in the place of `aval.db`.
 * @throws Error for Postgres, which has `pg_dump`
 */
export function backup(file: string): Promise<ExitCode> {
  return withDatabase({ readOnly: true }, async ({ dialect, query }) => {
    if (dialect === 'postgres') throw new Error('the database is Postgres: pg_dump makes its back-ups');
    await createFile(file, '', OWNER_ONLY);
    // VACUUM INTO reads one snapshot, with the newest commits in the journal (sqlite.org/lang_vacuum.html).
    await query(sql`VACUUM INTO ${file}`).catch(async error => {
      // Part of a back-up would look like one.
      await rm(file, { force: true });
      throw error;
    });
    const copy = await open(file, 'r+');
    await copy.sync().finally(() => copy.close());
    writeLines(process.stderr, [`${countText(await submissions.countOf(query), 'submission')} in ${file}`]);
    return 0;
  });
}

/**
 * Opens the configured database for a command, while servers may use it, and closes it afterwards.
 * @throws as `openForCommand`
 */
async function withDatabase(
  options: OpenOptions,
  act: (database: Database, config: Config) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = readConfig(process.env);
  const database = await openForCommand(config, options);
  return act(database, config).finally(() => database.close());
}

function unknown(name: string): ExitCode {
  writeLines(process.stderr, [`${name}: no such submission; aval outbox list names them`]);
  return 1;
}
