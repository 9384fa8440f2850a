import { type Entry, entriesOf } from './entry.ts';
import type { OutboxRecord } from './record.ts';

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
