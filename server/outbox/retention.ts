import type { Log } from '../log.ts';
import { codeOf } from '../private-files.ts';
import type { Clock } from './clock.ts';
import { type Entry, entriesOf } from './entry.ts';
import type { Ledger } from './ledger.ts';
import type { OutboxRecord } from './record.ts';

/** Fields are kept this long after the last mail, then dropped. */
export const RETENTION_DAYS = 30;

export interface Compacted {
  readonly records: readonly OutboxRecord[];
  readonly purgedIds: readonly string[];
}

/** The records without what is personal in submissions finished before `beforeMs`. What is pending is never touched. */
export function compacted(records: readonly OutboxRecord[], beforeMs: number, nowMs: number): Compacted {
  const due = [...entriesOf(records).values()].filter(entry => isPurgeable(entry, beforeMs)).map(({ id }) => id);
  const ids = new Set(due);
  const kept = records
    .filter(({ id, record }) => !(ids.has(id) && record === 'attempt'))
    .map(record => {
      return record.record === 'received' && ids.has(record.id) ? withoutPerson(record) : record;
    });
  const marks = due.map(id => ({ record: 'purged', id, atMs: nowMs }) as const);
  return { records: [...kept, ...marks], purgedIds: due };
}

/** Finished before that time, and not purged yet. */
export function isPurgeable(entry: Entry, beforeMs: number): boolean {
  const finishedAtMs = entry.doneAtMs ?? entry.abandoned?.atMs;
  return entry.purgedAtMs === undefined && finishedAtMs !== undefined && finishedAtMs < beforeMs;
}

function withoutPerson({
  record,
  id,
  atMs,
  kind,
  channel,
}: Extract<OutboxRecord, { record: 'received' }>): OutboxRecord {
  return { record, id, atMs, kind, channel };
}

/** Purges now and once a day. @returns what ends it */
export function keepRetention(ledger: Ledger, days: number, clock: Clock, log: Log): () => void {
  let cancel = () => {};
  const purge = () => {
    cancel = clock.setTimer(purge, DAY_MS);
    ledger.purge(clock.now() - days * DAY_MS).then(
      ids => ids.length > 0 && log('info', 'old submissions purged', { count: ids.length }),
      cause => log('error', 'purge failed', { cause: codeOf(cause), alarm: true }),
    );
  };
  purge();
  return () => cancel();
}

const DAY_MS = 24 * 3_600_000;
