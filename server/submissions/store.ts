import { codeOf, makePrivateDirectory } from '../config/private-files.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Lock, OutboxLocked, takeLock } from './lock.ts';
import { type JournalContent, outboxPaths, readJournal } from './read-journal.ts';

/** Submissions cannot be kept here, so none may be taken. */
export class DataDirectoryUnusable extends Error {
  constructor(dataDirectory: string, cause: unknown) {
    super(
      `The data directory ${dataDirectory} cannot be written (${codeOf(cause)}). Give this user a writable one in DATA_DIR.`,
    );
    this.name = 'DataDirectoryUnusable';
    this.cause = cause;
  }
}

/** The outbox's files, open for its one writer. */
export interface Store {
  /** What was in the journal, without its torn end. */
  readonly content: JournalContent;
  readonly journal: Journal;
  readonly lock: Lock;
}

/** @throws OutboxLocked @throws DataDirectoryUnusable */
export async function openStore(dataDirectory: string): Promise<Store> {
  const paths = outboxPaths(dataDirectory);
  let lock: Lock | undefined;
  try {
    await makePrivateDirectory(paths.directory);
    lock = await takeLock(paths.lock);
    const content = await readJournal(dataDirectory);
    return { content, journal: await openJournal(paths.journal, content.completeBytes), lock };
  } catch (cause) {
    await lock?.release();
    throw cause instanceof OutboxLocked ? cause : new DataDirectoryUnusable(dataDirectory, cause);
  }
}
