import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { writeWhole } from '../config/private-files.ts';
import {
  type CommandResult,
  CommandResult as CommandResultSchema,
  commandPaths,
  type OutboxCommand,
} from './command.ts';
import { type Entry, type EntryState, entriesOf, stateOf } from './entry.ts';
import { lockHolder, OutboxLocked } from './lock.ts';
import type { Outbox } from './outbox.ts';
import { outboxPaths, readJournal } from './read-journal.ts';
import type { OutboxRecord } from './record.ts';

/** One submission without what is personal, for `aval outbox list`. */
export interface ListedEntry extends Omit<Entry, 'fields' | 'clientHash' | 'bodyHash' | 'keyHash' | 'failures'> {
  readonly state: EntryState;
  readonly failedSends: number;
}

export interface Listing {
  /** Oldest first. */
  readonly entries: readonly ListedEntry[];
  /** How many are pending beyond the 48 hours: the exit code of `list` is 1 when there are any. */
  readonly overdue: number;
  readonly damagedLines: readonly number[];
  /** Process of the server that writes the journal, if one runs. */
  readonly serverPid: number | undefined;
}

/** Reads the journal as it stands, beside a running server too. */
export async function listOutbox(dataDirectory: string, nowMs = Date.now()): Promise<Listing> {
  const { records, damagedLines } = await readJournal(dataDirectory);
  const entries = [...entriesOf(records).values()].map(entry => listed(entry, nowMs));
  return {
    entries,
    overdue: entries.filter(({ state }) => state === 'overdue').length,
    damagedLines,
    serverPid: await lockHolder(outboxPaths(dataDirectory).lock),
  };
}

/** A submission with its fields and everything noted about it; `undefined`: no such id. */
export async function showSubmission(dataDirectory: string, id: string, nowMs = Date.now()) {
  const records = (await readJournal(dataDirectory)).records.filter(record => record.id === id);
  const entry = entriesOf(records).get(id);
  return entry && { ...entry, state: stateOf(entry, nowMs), history: records.map(withoutFields) };
}

/** Every submission with its fields, for another system or for a person who asks what is kept of them. */
export async function exportOutbox(dataDirectory: string, nowMs = Date.now()) {
  const { records } = await readJournal(dataDirectory);
  return [...entriesOf(records).values()].map(entry => ({ ...entry, state: stateOf(entry, nowMs) }));
}

/** How a command reaches the outbox. */
export interface OutboxAccess {
  readonly dataDirectory: string;
  /** Opens the outbox with `background: false`; used where no server runs. */
  readonly open: () => Promise<Outbox>;
  /** How long to wait for a running server's answer. */
  readonly waitMs?: number;
}

/** The running server did not answer in time; the command was taken back, unless it is being carried out. */
export class ServerSilent extends Error {}

/** Tries the mail of one pending submission again. */
export const retrySubmission = (access: OutboxAccess, id: string) => runCommand(access, { command: 'retry', id });

/** Tries all pending ones, oldest first, until mail proves to be down. */
export const retryAllPending = (access: OutboxAccess) => runCommand(access, { command: 'retry-all' });

/** Gives up on a pending submission. @param by who decided it, for the journal */
export const abandonSubmission = (access: OutboxAccess, id: string, by: string) =>
  runCommand(access, { command: 'abandon', id, by });

/** Drops the fields of everything finished longer ago. */
export const purgeOutbox = (access: OutboxAccess, olderThanDays: number) =>
  runCommand(access, { command: 'purge', olderThanDays });

/**
 * Carries a command out here, or has the running server do it: the lock decides.
 * @throws ServerSilent
 */
async function runCommand(access: OutboxAccess, command: OutboxCommand): Promise<CommandResult> {
  let outbox: Outbox;
  try {
    outbox = await access.open();
  } catch (error) {
    if (error instanceof OutboxLocked) return askServer(access, command, error.pid);
    throw error;
  }
  return outbox.run(command).finally(() => outbox.close());
}

async function askServer({ dataDirectory, waitMs = WAIT_MS }: OutboxAccess, command: OutboxCommand, pid: number) {
  const paths = commandPaths(dataDirectory, randomUUID());
  await writeWhole(paths.command, JSON.stringify(command));
  for (const endMs = Date.now() + waitMs; Date.now() < endMs; ) {
    const answer = await readFile(paths.result, 'utf8').catch(() => undefined);
    if (answer !== undefined) {
      await rm(paths.result, { force: true });
      return CommandResultSchema.parse(JSON.parse(answer));
    }
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await rm(paths.command, { force: true });
  throw new ServerSilent(
    `The server (process ${pid}) did not answer within ${waitMs / 1000} s; see "aval outbox list".`,
  );
}

const WAIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

function listed(entry: Entry, nowMs: number): ListedEntry {
  const { fields: _fields, clientHash: _client, bodyHash: _body, keyHash: _key, failures, ...rest } = entry;
  return { ...rest, state: stateOf(entry, nowMs), failedSends: failures.team + failures.confirm };
}

function withoutFields(record: OutboxRecord) {
  if (record.record !== 'received') return record;
  const { record: name, id, atMs, kind, channel } = record;
  return { record: name, id, atMs, kind, channel };
}
