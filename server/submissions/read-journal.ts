import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLine, type OutboxRecord } from './record.ts';

/** Where the outbox keeps what, below the data directory. */
export function outboxPaths(dataDirectory: string) {
  const directory = join(dataDirectory, 'outbox');
  return { directory, journal: join(directory, 'journal.jsonl'), lock: join(directory, 'lock') };
}

export interface JournalContent {
  readonly records: readonly OutboxRecord[];
  /** Numbers, from 1, of complete lines whose checksum or form is wrong. */
  readonly damagedLines: readonly number[];
  /** Bytes up to the end of the last complete line. What follows was never acknowledged: a torn write. */
  readonly completeBytes: number;
  readonly tornBytes: number;
}

/** Reads a journal as it stands, also while a server writes it. A missing file is an empty journal. */
export async function readJournal(dataDirectory: string): Promise<JournalContent> {
  const bytes = await readFile(outboxPaths(dataDirectory).journal).catch(absent);
  const completeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  const lines = bytes.subarray(0, completeBytes).toString('utf8').split('\n').slice(0, -1);
  const records: OutboxRecord[] = [];
  const damagedLines: number[] = [];
  for (const [index, line] of lines.entries()) {
    const record = decodeLine(line);
    if (record) records.push(record);
    else if (line !== '') damagedLines.push(index + 1);
  }
  return { records, damagedLines, completeBytes, tornBytes: bytes.length - completeBytes };
}

const NEWLINE = '\n'.charCodeAt(0);

function absent(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0);
  throw error;
}
