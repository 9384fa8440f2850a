import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { exists } from '../../owner/files.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { counted } from '../../tools/words/counts.ts';
import { type Config, readConfig } from '../config/config.ts';
import * as archive from '../outbox/archive.ts';
import { type Audited, noteAudit } from '../outbox/audit.ts';
import { databaseFile } from '../outbox/database.ts';
import { submissionsDatabase } from '../outbox/open-submissions.ts';
import type { Database } from '../outbox/sql.ts';
import { type ShownState, type Stored, shownState } from '../outbox/stored-submission.ts';

interface ListOptions {
  readonly json?: boolean;
  readonly state?: ShownState;
  readonly limit: number;
}

/** `aval outbox list`: submissions without what is personal, newest last. 1 when one waits longer than was promised. */
export function list({ json, state, limit }: ListOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  return withDatabase(async database => {
    const nowMs = Date.now();
    const entries = await archive.list(database, { state, limit }, nowMs);
    const counts = await archive.counts(database);
    const overdue = await archive.overdue(database, nowMs);
    const all = counts.reduce((sum, { count }) => sum + count, 0);
    if (json) writeJson(stdout, { entries: entries.map(entry => shown(entry, nowMs)), all, overdue });
    else {
      const lines = entries.map(entry => entryLine(entry, nowMs));
      writeLines(stdout, lines);
      const rest = entries.length < all ? ` (${entries.length} shown; --limit and --state choose)` : '';
      writeLines(stderr, [`${counted(all, 'submission')}, ${overdue} overdue${rest}`]);
    }
    return overdue > 0 ? 1 : 0;
  });
}

/** `aval outbox show NAME`: a submission with its fields and every attempt. 1 when there is none. */
export function show(name: string, { stdout, stderr }: Output): Promise<ExitCode> {
  return withDatabase(async database => {
    const found = await archive.find(database, name);
    if (!found) return unknown(name, stderr);
    const { record, attempts } = found;
    await note(database, 'show', record.reference);
    const told = attempts.map(({ part, at, outcome, code, reply }) => {
      return { at: iso(Number(at)), part, outcome, code, reply: reply ?? undefined };
    });
    writeJson(stdout, { ...shown(record, Date.now()), fields: record.fields, attempts: told });
    return 0;
  });
}

/** Keeps what this command did, and whose it was. */
export const note = ({ query }: Database, what: Audited['what'], about: string) =>
  noteAudit(query, { atMs: Date.now(), who: operator(), what, about });

/** The system user who runs the command; a container's may have a number only. */
export function operator(): string {
  const { SUDO_USER: behind } = process.env;
  if (behind) return behind;
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** Lends the database of the configuration, beside whatever else uses it. */
export async function withDatabase(act: (database: Database, config: Config) => Promise<ExitCode>): Promise<ExitCode> {
  const config = await configWithDatabase();
  const database = submissionsDatabase(config);
  return act(database, config).finally(() => database.close());
}

/** @throws Error where no server has made a database yet: a command without the server's settings would look after an empty one */
export async function configWithDatabase(): Promise<Config> {
  const config = readConfig(process.env);
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl !== undefined || (await exists(databaseFile(dataDirectory)))) return config;
  throw new Error(
    `there is no database in ${resolve(dataDirectory)}: run this with the settings of the server, DATA_DIR or DATABASE_URL. ` +
      'The server makes the database when it starts.',
  );
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
  const { reference, received_at, kind, channel, mode, suspect, confirmation, failed, lastFailure } = entry;
  const notes = [
    suspect ? 'suspect' : '',
    confirmation === 'none' ? '' : `confirmation ${confirmation}`,
    failed > 0 ? `${failed} failed, last ${lastFailure}` : '',
  ];
  const columns = [kind.padEnd(10), channel.padEnd(5), mode.padEnd(10), shownState(entry, nowMs).padEnd(9)];
  return [reference, iso(received_at), ...columns, notes.filter(note => note !== '').join(', ')].join('  ').trimEnd();
}

export function unknown(name: string, stderr: Output['stderr']): ExitCode {
  writeLines(stderr, [`${name}: no such submission; aval outbox list names them`]);
  return 1;
}
