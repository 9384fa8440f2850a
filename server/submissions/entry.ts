import type { Submission } from '../../tools/deliver.ts';
import type { OutboxRecord, Part } from './record.ts';

/** A submission as the sum of its records. */
export interface Entry {
  readonly id: string;
  readonly kind: Submission['kind'];
  readonly channel: Submission['channel'];
  readonly receivedAtMs: number;
  /** Absent once purged, or released from memory after the last mail. */
  fields?: Readonly<Record<string, string>>;
  readonly clientHash?: string;
  readonly bodyHash?: string;
  readonly keyHash?: string;
  readonly suspect: boolean;
  /** Failed sends, by part. */
  readonly failures: Record<Part, number>;
  lastFailure?: { readonly part: Part; readonly outcome: string; readonly code: string; readonly atMs: number };
  /** When the team's mail was accepted. */
  deliveredAtMs?: number;
  mailId?: string;
  confirmation: 'none' | 'due' | 'sent' | 'skipped' | 'failed';
  doneAtMs?: number;
  abandoned?: { readonly atMs: number; readonly by: string };
  purgedAtMs?: number;
}

export type EntryState = 'pending' | 'overdue' | 'delivered' | 'abandoned';

/** A person was promised an answer within this time: longer pending is `overdue`. */
export const OVERDUE_AFTER_MS = 48 * 3_600_000;

export function stateOf(entry: Entry, nowMs: number): EntryState {
  if (entry.deliveredAtMs !== undefined) return 'delivered';
  if (entry.abandoned) return 'abandoned';
  return nowMs - entry.receivedAtMs >= OVERDUE_AFTER_MS ? 'overdue' : 'pending';
}

/** Still owed to the team. */
export function isPending({ deliveredAtMs, abandoned }: Entry): boolean {
  return deliveredAtMs === undefined && !abandoned;
}

/** Adds one record to the entries it belongs to; records of unknown ids change nothing. */
export function applyRecord(entries: Map<string, Entry>, record: OutboxRecord): void {
  if (record.record === 'received') {
    entries.set(record.id, newEntry(record));
    return;
  }
  const entry = entries.get(record.id);
  if (entry) change(entry, record);
}

export function entriesOf(records: readonly OutboxRecord[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const record of records) applyRecord(entries, record);
  return entries;
}

type Received = Extract<OutboxRecord, { record: 'received' }>;

function newEntry({
  record: _,
  atMs,
  fields,
  clientHash,
  bodyHash,
  keyHash,
  suspect = false,
  ...rest
}: Received): Entry {
  return {
    ...rest,
    receivedAtMs: atMs,
    ...(fields && { fields }),
    ...(clientHash !== undefined && { clientHash }),
    ...(bodyHash !== undefined && { bodyHash }),
    ...(keyHash !== undefined && { keyHash }),
    suspect,
    failures: { team: 0, confirm: 0 },
    confirmation: rest.kind === 'diagnostic' && !suspect ? 'due' : 'none',
  };
}

function change(entry: Entry, record: Exclude<OutboxRecord, Received>): void {
  switch (record.record) {
    case 'attempt': {
      const { part, outcome, code, atMs } = record;
      entry.failures[part] += 1;
      entry.lastFailure = { part, outcome, code, atMs };
      return;
    }
    case 'accepted':
      if (record.part === 'confirm') {
        entry.confirmation = 'sent';
        return;
      }
      entry.deliveredAtMs = record.atMs;
      entry.mailId = record.mailId;
      return;
    case 'done':
      entry.confirmation = record.confirmation;
      entry.doneAtMs = record.atMs;
      return;
    case 'abandoned':
      entry.abandoned = { atMs: record.atMs, by: record.by };
      return;
    case 'purged':
      entry.purgedAtMs = record.atMs;
      delete entry.fields;
  }
}
