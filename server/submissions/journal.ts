import { dirname } from 'node:path';
import { openPrivateFile, syncDirectory, writeWhole } from '../config/private-files.ts';
import { encodeLine, type OutboxRecord } from './record.ts';

/** An append-only file of records. One writer per file: the lock sees to that. */
export interface Journal {
  /**
   * Resolves once the records are on disk, all of them or none. Calls of the same moment share one write and one fdatasync.
   * @throws Error of the file system (ENOSPC, EIO, EROFS…); the records are then not in the journal
   */
  append(...records: readonly OutboxRecord[]): Promise<void>;
  /** Replaces the whole content by what `compact` makes of it; the old file stays until the new one is on disk. */
  rewrite(compact: () => Promise<readonly OutboxRecord[]>): Promise<void>;
  /** Finishes what was asked for; later appends fail. */
  close(): Promise<void>;
}

interface Waiting {
  readonly lines: string;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** The file was deleted or replaced under us: what is written now would be read by nobody. */
class JournalGone extends Error {
  readonly code = 'JOURNAL_GONE';
}

/** @param completeBytes length to cut the file to before writing: what follows is a torn write */
export async function openJournal(path: string, completeBytes: number): Promise<Journal> {
  let file = await openPrivateFile(path, 'a');
  let size = completeBytes;
  let waiting: Waiting[] = [];
  let tail: Promise<unknown> = Promise.resolve();
  let isTorn = false;
  let isClosed = false;
  await file.truncate(size);
  await file.sync();
  await syncDirectory(dirname(path));

  /** Runs `act` after everything asked for before it, whether that worked or not. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const turn = tail.then(act);
    tail = turn.catch(() => {});
    return turn;
  };

  const commit = async (bytes: Buffer) => {
    if ((await file.stat()).nlink === 0) throw new JournalGone();
    if (isTorn) await cutBack();
    await file.appendFile(bytes);
    await file.datasync();
    size += bytes.length;
  };

  /** Removes what a failed write left, so that no record lives on whose sender was told that it was not kept. */
  const cutBack = async () => {
    isTorn = true;
    await file.truncate(size);
    isTorn = false;
  };

  const commitWaiting = async () => {
    const batch = waiting;
    waiting = [];
    try {
      await commit(Buffer.from(batch.map(({ lines }) => lines).join('')));
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      await cutBack().catch(() => {});
      for (const { reject } of batch) reject(cause);
    }
  };

  return {
    append(...records) {
      if (isClosed) return Promise.reject(new Error('the journal is closed'));
      const lines = records.map(encodeLine).join('');
      return new Promise((resolve, reject) => {
        waiting.push({ lines, resolve, reject });
        if (waiting.length === 1) void inTurn(commitWaiting);
      });
    },

    rewrite(compact) {
      return inTurn(async () => {
        const content = Buffer.from((await compact()).map(encodeLine).join(''));
        await writeWhole(path, content);
        const old = file;
        file = await openPrivateFile(path, 'a');
        size = content.length;
        await old.close();
      });
    },

    async close() {
      isClosed = true;
      await inTurn(async () => {
        await file.datasync();
        await file.close();
      });
    },
  };
}
