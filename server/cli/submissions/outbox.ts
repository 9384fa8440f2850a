import { readdir, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config/config.ts';
import { createLog } from '../../config/log.ts';
import { DAY_MS } from '../../delivery/clock.ts';
import { modeOf, openSubmissions, serverMailer, submissionsDatabase } from '../../delivery/open-submissions.ts';
import type { Outbox, RetryResult } from '../../delivery/outbox.ts';
import { type Archive, createArchive, type Listed } from '../../submissions/archive.ts';
import { importedJournal } from '../../submissions/import-journal.ts';
import { type ShownState, type Stored, shownState } from '../../submissions/stored.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../terminal/output.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly state?: ShownState;
  readonly limit: number;
}

/** `aval outbox list`: submissions without what is personal, newest last. 1 when one waits longer than was promised. */
export function list({ json, state, limit }: ListOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  return withArchive(async archive => {
    const nowMs = Date.now();
    const entries = await archive.list({ state, limit }, nowMs);
    const counts = await archive.counts();
    const overdue = await archive.overdue(nowMs);
    const all = counts.reduce((sum, { count }) => sum + count, 0);
    if (json) writeJson(stdout, { entries: entries.map(entry => withoutPerson(entry, nowMs)), all, overdue });
    else {
      writeLines(
        stdout,
        entries.map(entry => entryLine(entry, nowMs)),
      );
      const rest = entries.length < all ? ` (${entries.length} shown; --limit and --state choose)` : '';
      writeLines(stderr, [`${all} submissions, ${overdue} overdue${rest}`]);
    }
    return overdue > 0 ? 1 : 0;
  });
}

/** `aval outbox show NAME`: a submission with its fields and every attempt. 1 when there is none. */
export function show(name: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withArchive(async archive => {
    const found = await archive.find(name);
    if (!found) return unknown(name, stderr);
    const { record, attempts } = found;
    const times = attempts.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt }));
    writeJson(stdout, { ...shown(record, Date.now()), fields: record.fields, attempts: times });
    return 0;
  });
}

/** `aval outbox stats`: how many, by what. */
export function stats({ stdout }: Output): Promise<ExitCode> {
  return withArchive(async archive => {
    const nowMs = Date.now();
    const [oldest] = await archive.pending();
    writeJson(stdout, {
      states: await archive.counts(),
      kinds: await archive.countsBy('kind'),
      channels: await archive.countsBy('channel'),
      languages: await archive.countsBy('language'),
      confirmations: await archive.countsBy('confirmation'),
      failures: await archive.failures(),
      overdue: await archive.overdue(nowMs),
      oldestPending: oldest ? { reference: oldest.reference, received: iso(oldest.received_at) } : null,
    });
    return 0;
  });
}

/** `aval outbox retry NAME` or `--all-pending`. 1 when a mail could still not be sent. */
export async function retry(name: string | undefined, output: Output): Promise<ExitCode> {
  const config = readConfig(process.env);
  const outbox = await openForCommand(config);
  try {
    const archive = createArchive(outbox.database);
    const found = name === undefined ? await archive.pending() : [(await archive.find(name))?.record];
    if (name !== undefined && !found[0]) return unknown(name, output.stderr);
    const records = found.filter(record => record !== undefined);
    return await retryEach(outbox, records, config, output);
  } finally {
    await outbox.close();
  }
}

async function retryEach(
  outbox: Outbox,
  records: readonly Stored[],
  config: Config,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const lines: Line[] = [];
  for (const { id, reference, mode } of records) {
    const isMailDown = lines.some(({ result }) => result === 'kept');
    const line = await retryOne(mode === modeOf(config), isMailDown, () => outbox.retry(id));
    lines.push(line);
    writeLines(stdout, [`${reference}  ${line.result}${line.code === undefined ? '' : ` (${line.code})`}`]);
  }
  if (lines.some(({ result }) => result === 'refused')) writeLines(stderr, [otherMode(config)]);
  const failed = lines.filter(({ result }) => result !== 'delivered' && result !== 'finished').length;
  writeLines(stderr, [`${records.length} submissions, ${failed} not delivered`]);
  return failed === 0 ? 0 : 1;
}

interface Line {
  readonly result: RetryResult['result'] | 'refused';
  readonly code?: string;
}

async function retryOne(isOurs: boolean, isMailDown: boolean, act: () => Promise<Line>): Promise<Line> {
  if (!isOurs) return { result: 'refused', code: 'taken in another mode' };
  return isMailDown ? { result: 'kept', code: 'mail is down' } : act();
}

/** Which setting would let the refused ones go. */
const otherMode = ({ production }: Config) =>
  production
    ? 'Taken in a dry run, they are no mail for the team. To write them to files: the same command without NODE_ENV=production.'
    : 'Taken in production, they are never written to files. Set NODE_ENV=production and the mail settings of the server ' +
      '(MAIL_FROM, MAIL_TO, and SMTP_URL or MAILGUN_API_KEY with MAILGUN_DOMAIN), then run the command again.';

/** `aval outbox abandon NAME`: gives up on a submission that cannot be delivered. 1 when it was not pending. */
export function abandon(name: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withArchive(async archive => {
    const found = await archive.find(name);
    if (!found) return unknown(name, stderr);
    const { id, reference } = found.record;
    const isDone = await archive.abandon(id, userInfo().username, Date.now());
    writeLines(stdout, [`${reference}  ${isDone ? 'abandoned' : 'finished, or being sent'}`]);
    return isDone ? 0 : 1;
  });
}

/** `aval outbox purge`: erases the fields of what was finished longer ago. */
export function purge(olderThan: string, { stdout, stderr }: Output): Promise<ExitCode> {
  const days = /^(\d+)d?$/.exec(olderThan)?.[1];
  if (days === undefined) throw new Error('--older-than must be a number of days, for example 30d');
  return withArchive(async (archive, config) => {
    const nowMs = Date.now();
    const count = await archive.purge(nowMs - Number(days) * DAY_MS, nowMs);
    writeLines(stdout, [`${count} purged`]);
    await noteOtherCopies(config, stderr);
    return 0;
  });
}

/** `aval outbox erase --email ADDRESS`: erases everything of one person. 1 when there was nothing. */
export function erase(email: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withArchive(async (archive, config) => {
    const erased = await archive.eraseEmail(email, userInfo().username, Date.now());
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

/** Lends the archive of the configuration, beside whatever else uses it. */
export async function withArchive(act: (archive: Archive, config: Config) => Promise<ExitCode>): Promise<ExitCode> {
  const config = readConfig(process.env);
  const database = submissionsDatabase(config, createLog());
  return act(createArchive(database), config).finally(() => database.close());
}

async function openForCommand(config: Config): Promise<Outbox> {
  const mailer = await serverMailer(config);
  return openSubmissions(config, {
    mailer,
    mode: modeOf(config),
    brandName: () => undefined,
    log: createLog(),
    background: false,
  });
}

/** A submission as commands show it: times as text, states in an operator's words, nothing personal. */
export function shown(
  { fields: _, received_at, delivered_at, finished_at, erased_at, due_at, ...record }: Stored,
  nowMs: number,
) {
  return {
    ...record,
    state: shownState({ ...record, received_at }, nowMs),
    received: iso(received_at),
    delivered: iso(delivered_at),
    finished: iso(finished_at),
    erased: iso(erased_at),
    nextAttempt: iso(due_at),
  };
}

const withoutPerson = ({ failed, lastFailure, ...record }: Listed, nowMs: number) => ({
  ...shown(record, nowMs),
  failed,
  lastFailure,
});

const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

function entryLine(entry: Listed, nowMs: number): string {
  const { reference, received_at, kind, channel, mode, suspect, confirmation, failed, lastFailure } = entry;
  const notes = [
    suspect ? 'suspect' : '',
    confirmation === 'none' ? '' : `confirmation ${confirmation}`,
    failed > 0 ? `${failed} failed, last ${lastFailure}` : '',
  ];
  const columns = [kind.padEnd(10), channel.padEnd(5), mode.padEnd(10), shownState(entry, nowMs).padEnd(9)];
  return [reference, iso(received_at), ...columns, notes.filter(note => note !== '').join(', ')].join('  ').trimEnd();
}

function unknown(name: string, stderr: Output['stderr']): ExitCode {
  writeLines(stderr, [`${name}: no such submission; aval outbox list names them`]);
  return 1;
}
