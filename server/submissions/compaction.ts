import { type Entry, entriesOf } from './entry.ts';
import type { OutboxRecord } from './record.ts';

export interface Compacted {
  readonly records: readonly OutboxRecord[];
  readonly purgedIds: readonly string[];
  readonly forgottenIds: readonly string[];
}

/**
 * The records without what is personal in submissions finished before `beforeMs`, and without those purged before then: a
 * journal that forgets nothing grows for ever. What is pending is never touched.
 */
export function compacted(records: readonly OutboxRecord[], beforeMs: number, nowMs: number): Compacted {
  const entries = [...entriesOf(records).values()];
  const due = entries.filter(entry => isPurgeable(entry, beforeMs)).map(({ id }) => id);
  const forgotten = new Set(entries.filter(entry => isForgettable(entry, beforeMs)).map(({ id }) => id));
  const ids = new Set(due);
  const kept = records
    .filter(({ id, record }) => !forgotten.has(id) && !(ids.has(id) && record === 'attempt'))
    .map(record => {
      return record.record === 'received' && ids.has(record.id) ? withoutPerson(record) : record;
    });
  const marks = due.map(id => ({ record: 'purged', id, atMs: nowMs }) as const);
  return { records: [...kept, ...marks], purgedIds: due, forgottenIds: [...forgotten] };
}

/** Finished before that time, and not purged yet. */
export function isPurgeable(entry: Entry, beforeMs: number): boolean {
  const finishedAtMs = entry.doneAtMs ?? entry.abandoned?.atMs;
  return entry.purgedAtMs === undefined && finishedAtMs !== undefined && finishedAtMs < beforeMs;
}

/** Purged before that time: nothing of it is of use to anybody. */
export function isForgettable({ purgedAtMs }: Entry, beforeMs: number): boolean {
  return purgedAtMs !== undefined && purgedAtMs < beforeMs;
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
