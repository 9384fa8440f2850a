import { userInfo } from 'node:os';
import { type Config, readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import type { CommandResult } from '../submissions/command.ts';
import {
  abandonSubmission,
  exportOutbox,
  type ListedEntry,
  listOutbox,
  type OutboxAccess,
  purgeOutbox,
  retryAllPending,
  retrySubmission,
  showSubmission,
} from '../submissions/commands.ts';
import { openSubmissions, serverMailer } from '../submissions/submissions.ts';
import { type ExitCode, type Output, writeJson, writeLines } from './terminal/output.ts';

interface JsonOption {
  readonly json?: boolean;
}

/** `aval outbox list`: every submission without what is personal. 1 when one waits longer than was promised. */
export async function list({ json }: JsonOption, { stdout, stderr }: Output): Promise<ExitCode> {
  const listing = await listOutbox(configured().dataDirectory);
  if (json) writeJson(stdout, listing);
  else {
    writeLines(stdout, listing.entries.map(entryLine));
    const server = listing.serverPid === undefined ? 'no server runs on it' : `process ${listing.serverPid} serves it`;
    writeLines(stderr, [`${listing.entries.length} submissions, ${listing.overdue} overdue; ${server}`]);
    writeLines(
      stderr,
      listing.damagedLines.map(line => `warning: journal line ${line} is damaged`),
    );
  }
  return listing.overdue > 0 ? 1 : 0;
}

/** `aval outbox show ID`: a submission with its fields and its history. 1 when there is none. */
export async function show(id: string, { stdout, stderr }: Output): Promise<ExitCode> {
  const found = await showSubmission(configured().dataDirectory, id);
  if (found) writeJson(stdout, found);
  else writeLines(stderr, [`${id}: no such submission; aval outbox list names them`]);
  return found ? 0 : 1;
}

/** `aval outbox export`: every submission with its fields, as JSON. */
export async function exportAll({ stdout }: Output): Promise<ExitCode> {
  writeJson(stdout, await exportOutbox(configured().dataDirectory));
  return 0;
}

/** `aval outbox retry ID` or `--all-pending`. 1 when a mail could still not be sent. */
export async function retry(id: string | undefined, output: Output): Promise<ExitCode> {
  const access = accessTo(configured());
  return report(await (id === undefined ? retryAllPending(access) : retrySubmission(access, id)), output);
}

/** `aval outbox abandon ID`: gives up on a submission that cannot be delivered. */
export async function abandon(id: string, output: Output): Promise<ExitCode> {
  return report(await abandonSubmission(accessTo(configured()), id, userInfo().username), output);
}

/** `aval outbox purge`: drops the fields of what was finished longer ago. */
export async function purge(olderThan: string, output: Output): Promise<ExitCode> {
  const days = /^(\d+)d?$/.exec(olderThan)?.[1];
  if (days === undefined) throw new Error(`--older-than must be a number of days, for example 30d`);
  return report(await purgeOutbox(accessTo(configured()), Number(days)), output);
}

const GOOD = new Set(['delivered', 'abandoned', 'purged', 'finished']);

function report({ rows, error }: CommandResult, { stdout, stderr }: Output): ExitCode {
  writeLines(
    stdout,
    rows.map(({ id, result, code }) => `${id}  ${result}${code === undefined ? '' : ` (${code})`}`),
  );
  writeLines(stderr, [error ?? `${rows.length} submissions touched`]);
  return error === undefined && rows.every(({ result }) => GOOD.has(result)) ? 0 : 1;
}

function entryLine({ id, kind, channel, state, receivedAtMs, failedSends, lastFailure }: ListedEntry): string {
  const failure = lastFailure ? `  last failure: ${lastFailure.outcome} ${lastFailure.code}` : '';
  const received = new Date(receivedAtMs).toISOString();
  return `${id}  ${received}  ${kind.padEnd(10)}  ${channel.padEnd(5)}  ${state.padEnd(9)}  failed sends: ${failedSends}${failure}`;
}

function configured(): Config {
  return readConfig(process.env);
}

/** A command is carried out here where no server runs, else by the server. */
function accessTo(config: Config): OutboxAccess {
  const { dataDirectory, mail } = config;
  const open = async () =>
    openSubmissions(config, {
      mailer: await serverMailer(config),
      brandName: mail.from,
      log: createLog(),
      background: false,
    });
  return { dataDirectory, open };
}
