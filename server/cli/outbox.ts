import { readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { loadProfile } from '../../brand/profile/profile.ts';
import { exists } from '../../owner/files.ts';
import { type ExitCode, writeJson, writeLines } from '../../owner/output.ts';
import { countText } from '../../tools/words/counts.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import * as archive from '../outbox/archive.ts';
import { databaseFile, openForCommand } from '../outbox/database.ts';
import { eraseRecipient } from '../outbox/erasure.ts';
import { modeOf, openSubmissions, serverMailer } from '../outbox/open-submissions.ts';
import type { RetryResult } from '../outbox/outbox.ts';
import type { OpenOptions } from '../outbox/postgres.ts';
import type { Database } from '../outbox/sql.ts';
import { recipientOf } from '../outbox/store.ts';
import { isUnreadable, type ShownState, type Stored, shownState } from '../outbox/stored-submission.ts';
import { replanWebhook } from '../outbox/webhook-delivery.ts';

/**
 * `aval outbox list`: submissions without what is personal, newest last. 1 when one waits longer than was
 * promised.
 */
export function list(options: { json?: boolean; state?: ShownState; limit: number }): Promise<ExitCode> {
  const { json, state, limit } = options;
  return withDatabase({ readOnly: true }, async database => {
    const nowMs = Date.now();
    const entries = await archive.list(database, { state, limit }, nowMs);
    const all = await archive.countOf(database.query);
    const overdue = await archive.overdue(database, nowMs);
    if (json) writeJson(process.stdout, { entries: entries.map(entry => shown(entry, nowMs)), all, overdue });
    else {
      const hidden = entries.length < all ? ` (${entries.length} shown; --limit and --state choose)` : '';
      for (const entry of entries) writeLines(process.stdout, [entryLine(entry, nowMs)]);
      writeLines(process.stderr, [`${countText(all, 'submission')}, ${overdue} overdue${hidden}`]);
    }
    nameUnreadable(entries);
    return overdue > 0 ? 1 : 0;
  });
}

/** `aval outbox show NAME`: a submission with its fields and every attempt. 1 when there is none. */
export function show(name: string): Promise<ExitCode> {
  return withDatabase({}, async database => {
    const submission = await archive.find(database, name);
    if (!submission) return unknown(name);
    const { record, attempts, webhook } = submission;
    await note(database, 'show', record.reference);
    const sends = attempts.map(attempt => ({
      ...attempt,
      at: iso(Number(attempt.at)),
      reply: attempt.reply ?? undefined,
    }));
    writeJson(process.stdout, {
      ...shown(record, Date.now()),
      fields: record.fields,
      attempts: sends,
      webhook,
    });
    nameUnreadable([record]);
    return 0;
  });
}

/** `aval outbox retry NAME` or `--all-pending`. 1 when a mail could still not be sent. */
export function retry(name: string | undefined): Promise<ExitCode> {
  return withDatabase({}, async (database, config) => {
    const named = name === undefined ? undefined : await archive.find(database, name);
    if (name !== undefined && !named) return unknown(name);
    const records = named ? [named.record] : await archive.pending(database);
    // Mails are in the words of the profile; one that cannot be read keeps none of them back.
    const { profile } = await loadProfile(config.brandFile).catch(() => ({ profile: undefined }));
    const mode = modeOf(config);
    const parts = { mailer: serverMailer(config), mode, log: createLog(), background: false, database };
    const outbox = openSubmissions(config, { ...parts, profile: () => profile });
    let failed = 0;
    let isMailDown = false;
    const retryOne = async (record: Stored): Promise<Retried> => {
      if (record.mode !== mode) return REFUSED;
      if (isMailDown) return MAIL_IS_DOWN;
      return outbox.retry(record.id);
    };
    for (const record of records) {
      await replanWebhook(database, record.id, Date.now());
      const { result, code, isMailDown: isDownNow } = await retryOne(record);
      if (isDownNow) isMailDown = true;
      if (result !== 'delivered' && result !== 'finished') failed += 1;
      await note(database, 'retry', record.reference);
      const reason = code === undefined ? '' : ` (${code})`;
      writeLines(process.stdout, [`${record.reference}  ${result}${reason}`]);
    }
    if (records.some(record => record.mode !== mode)) writeLines(process.stderr, [OTHER_MODE[mode]]);
    writeLines(process.stderr, [`${countText(records.length, 'submission')}, ${failed} not delivered`]);
    return failed === 0 ? 0 : 1;
  });
}

type Retried = Omit<RetryResult, 'result'> & { readonly result: RetryResult['result'] | 'refused' };

const REFUSED: Retried = { result: 'refused', code: 'taken in another mode' };
const MAIL_IS_DOWN: Retried = { result: 'kept', code: 'mail is down' };

/** Which setting would let the refused ones go. */
const OTHER_MODE = {
  production:
    'Taken in a dry run, they are no mail for the team. ' +
    'To write them to files: the same command without NODE_ENV=production.',
  'dry-run':
    'Taken in production, they are never written to files. ' +
    'Set NODE_ENV=production and the mail settings of the server ' +
    '(MAIL_FROM, MAIL_TO, and SMTP_URL or MAILGUN_API_KEY with MAILGUN_DOMAIN), then run the command again.',
};

/** `aval outbox erase --email ADDRESS`: erases everything of one person. 1 when there was nothing. */
export function erase(email: string): Promise<ExitCode> {
  return withDatabase({}, async (database, { dataDirectory }) => {
    const erased = await eraseRecipient(database, recipientOf(email), acting());
    const directory = join(dataDirectory, 'mail');
    const dryRun = await readdir(directory).catch(() => []);
    for (const { id, reference, wasPending } of erased) {
      for (const name of dryRun.filter(name => name.startsWith(`${id}.`)))
        await rm(join(directory, name), { force: true });
      const pending = wasPending ? '; it was still pending, the team never got it' : '';
      writeLines(process.stdout, [`${reference}  erased${pending}`]);
    }
    writeLines(process.stderr, [
      `${erased.length} erased. Mailboxes, back-ups and exports keep their copies.`,
    ]);
    return erased.length > 0 ? 0 : 1;
  });
}

/**
 * `aval outbox rebind`: gives the store to the profile of BRAND_FILE, once its id changed on purpose. 1
 * without `--yes`.
 */
export function rebind({ yes }: { readonly yes?: boolean }): Promise<ExitCode> {
  return withDatabase({}, async (database, { brandFile }) => {
    const { profile } = await loadProfile(brandFile);
    const owner = await archive.boundTo(database);
    writeLines(process.stdout, [`store: ${owner ?? 'no profile yet'}`, `${brandFile}: ${profile.id}`]);
    if (owner === profile.id) return 0;
    if (!yes) {
      writeLines(process.stderr, ['nothing changed; --yes binds the store to the profile of BRAND_FILE']);
      return 1;
    }
    await archive.rebind(database, profile.id, operator());
    writeLines(process.stderr, [`the store now belongs to "${profile.id}"; restart its servers`]);
    return 0;
  });
}

/** Keeps what this command did, and whose it was. */
export const note = ({ query }: Database, what: archive.Deed, about: string) =>
  archive.noteAudit(query, what, about, acting());

const acting = () => ({ by: operator(), nowMs: Date.now() });

/** The system user who runs the command; a container's may have a number only. */
function operator(): string {
  const { SUDO_USER: person } = process.env;
  if (person) return person;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/**
 * Lends the database of the configuration, beside whatever else uses it.
 * @throws Error where no server has made one yet: a command without the server's settings would look after an
 * empty one
 */
export async function withDatabase(
  options: OpenOptions,
  act: (database: Database, config: Config) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = readConfig(process.env);
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined && !(await exists(databaseFile(dataDirectory)))) {
    throw new Error(
      `there is no database in ${resolve(dataDirectory)}: ` +
        'run this with the settings of the server, DATA_DIR or DATABASE_URL. ' +
        'The server makes the database when it starts.',
    );
  }
  const database = await openForCommand(config, options);
  return act(database, config).finally(() => database.close());
}

/** A submission as commands show it: times as text, states in an operator's words, nothing personal. */
export function shown(
  { fields: _, received_at, promised_ms, delivered_at, finished_at, erased_at, due_at, ...record }: Stored,
  nowMs: number,
) {
  return {
    ...record,
    state: shownState({ ...record, received_at, promised_ms }, nowMs),
    received: iso(received_at),
    delivered: iso(delivered_at),
    finished: iso(finished_at),
    erased: iso(erased_at),
    nextAttempt: iso(due_at),
  };
}

const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

function entryLine(entry: archive.Listed, nowMs: number): string {
  const { reference, received_at, kind, channel, mode, suspect, confirmation, failed, lastFailure, webhook } =
    entry;
  const notes = [
    suspect ? 'suspect' : '',
    confirmation === 'none' ? '' : `confirmation ${confirmation}`,
    webhook === null || webhook === 'delivered' ? '' : `webhook ${webhook}`,
    failed > 0 ? `${failed} failed, last ${lastFailure}` : '',
  ];
  const columns = [kind.padEnd(10), channel.padEnd(5), mode.padEnd(10), shownState(entry, nowMs).padEnd(9)];
  return [reference, iso(received_at), ...columns, notes.filter(note => note !== '').join(', ')]
    .join('  ')
    .trimEnd();
}

/**
 * Its fields were written by another program: nothing else is said of it, and a back-up may have them whole.
 */
export function nameUnreadable(records: readonly Stored[]): void {
  const fix = 'its fields cannot be read, so it is not mailed; a back-up may have them';
  for (const { reference } of records.filter(isUnreadable))
    writeLines(process.stderr, [`WARNING: ${reference}: ${fix}`]);
}

function unknown(name: string): ExitCode {
  writeLines(process.stderr, [`${name}: no such submission; aval outbox list names them`]);
  return 1;
}
