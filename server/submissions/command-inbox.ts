import { watch } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../config/log.ts';
import { codeOf, makePrivateDirectory, writeWhole } from '../config/private-files.ts';
import type { Clock } from './clock.ts';
import { COMMAND, type CommandResult, commandPaths, OutboxCommand, RESULT } from './command.ts';

interface InboxParts {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly run: (command: OutboxCommand) => Promise<CommandResult>;
  readonly log: Log;
}

/**
 * Carries out the commands that `aval outbox …` leaves as files, one after the other, and answers each with a file.
 * The directory is readable by this user only: who can write there could change the journal as well.
 * @returns what ends it, once the command under way is answered
 */
export async function watchCommands({ dataDirectory, clock, run, log }: InboxParts): Promise<() => Promise<void>> {
  const { directory } = commandPaths(dataDirectory, '');
  await makePrivateDirectory(directory);
  await removeLeftovers(directory);
  let tail: Promise<unknown> = Promise.resolve();
  let isAsked = false;
  let isStopped = false;

  const look = async () => {
    isAsked = false;
    const names = isStopped ? [] : await readdir(directory);
    for (const name of names.filter(one => one.endsWith(COMMAND))) await answer(name.slice(0, -COMMAND.length));
  };
  const answer = async (id: string) => {
    const { command, result } = commandPaths(dataDirectory, id);
    const outcome = await carryOut(await readFile(command, 'utf8'));
    await rm(command, { force: true });
    await writeWhole(result, JSON.stringify(outcome));
  };
  const carryOut = async (text: string): Promise<CommandResult> => {
    try {
      const command = OutboxCommand.parse(JSON.parse(text));
      log('info', 'outbox command', { command: command.command });
      return await run(command);
    } catch (cause) {
      return { rows: [], error: `The server could not carry out the command (${codeOf(cause)}).` };
    }
  };
  const lookInTurn = () => {
    if (isAsked) return;
    isAsked = true;
    tail = tail.then(look).catch(cause => log('warn', 'outbox command failed', { cause: codeOf(cause) }));
  };

  let cancelPoll = () => {};
  const poll = () => {
    cancelPoll = clock.setTimer(poll, POLL_MS);
    lookInTurn();
  };
  const stopWatching = tryWatching(directory, lookInTurn);
  poll();
  return async () => {
    isStopped = true;
    cancelPoll();
    stopWatching();
    await tail;
  };
}

/** Commands and answers of a server that died: nobody waits for them any more. */
async function removeLeftovers(directory: string): Promise<void> {
  const names = await readdir(directory);
  const leftovers = names.filter(name => name.endsWith(COMMAND) || name.endsWith(RESULT));
  await Promise.all(leftovers.map(name => rm(join(directory, name), { force: true })));
}

/** For where watching files does not work (fs.watch: network file systems, no watches left). */
const POLL_MS = 5_000;

function tryWatching(directory: string, onChange: () => void): () => void {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
