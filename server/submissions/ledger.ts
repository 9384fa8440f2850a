import type { Log } from '../config/log.ts';
import { codeOf } from '../config/private-files.ts';
import { compacted, isForgettable, isPurgeable } from './compaction.ts';
import { applyRecord, type Entry, isPending } from './entry.ts';
import type { Journal } from './journal.ts';
import { readJournal } from './read-journal.ts';
import type { OutboxRecord } from './record.ts';

/** The submissions in memory and on disk, kept the same. */
export interface Ledger {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Takes in a submission: in memory at once, so that its repeats find it; resolves once on disk. @throws Error of the file system */
  receive(record: Extract<OutboxRecord, { record: 'received' }>): Promise<Entry>;
  /**
   * Notes what happened to a submission. Never rejects: a lost note costs a repeated mail after a restart, not a submission.
   */
  note(...records: readonly OutboxRecord[]): Promise<void>;
  /** Drops the fields of what was finished before `beforeMs`, from the file too. @returns the ids */
  purge(beforeMs: number): Promise<readonly string[]>;
}

interface LedgerParts {
  readonly dataDirectory: string;
  readonly journal: Journal;
  /** As read from the journal. */
  readonly entries: Map<string, Entry>;
  readonly now: () => number;
  readonly log: Log;
}

export function createLedger({ dataDirectory, journal, entries, now, log }: LedgerParts): Ledger {
  for (const entry of entries.values()) release(entry);

  return {
    entries,

    async receive(record) {
      applyRecord(entries, record);
      const entry = entries.get(record.id);
      try {
        await journal.append(record);
      } catch (cause) {
        entries.delete(record.id);
        throw cause;
      }
      if (!entry) throw new Error('a received record makes an entry');
      return entry;
    },

    async note(...records) {
      for (const record of records) applyRecord(entries, record);
      await journal.append(...records).catch(cause => {
        log('error', 'outbox note not written', { id: records[0]?.id, alarm: true, cause: codeOf(cause) });
      });
      for (const { id } of records) release(entries.get(id));
    },

    async purge(beforeMs) {
      const isDue = (entry: Entry) => isPurgeable(entry, beforeMs) || isForgettable(entry, beforeMs);
      if (![...entries.values()].some(isDue)) return [];
      const purged: string[] = [];
      const forgotten: string[] = [];
      await journal.rewrite(async () => {
        const { records } = await readJournal(dataDirectory);
        const result = compacted(records, beforeMs, now());
        purged.push(...result.purgedIds);
        forgotten.push(...result.forgottenIds);
        return result.records;
      });
      for (const id of purged) applyRecord(entries, { record: 'purged', id, atMs: now() });
      for (const id of forgotten) entries.delete(id);
      return purged;
    },
  };
}

/** Memory holds a person's words only while there is a mail to send. */
function release(entry: Entry | undefined): void {
  if (entry && !isPending(entry) && (entry.doneAtMs !== undefined || entry.abandoned)) delete entry.fields;
}
