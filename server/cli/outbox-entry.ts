import type { Stored } from '../outbox/stored-submission.ts';

/** A submission for a terminal: times as text, nothing personal. */
export function outboxEntry(
  {
    fields: _fields,
    reply: _reply,
    lease_until: _lease,
    received_at,
    promised_at,
    done_at,
    due_at,
    ...record
  }: Stored,
  nowMs: number,
) {
  const isOverdue = record.state === 'pending' && nowMs >= promised_at;
  return {
    ...record,
    state: isOverdue ? 'overdue' : record.state,
    received: iso(received_at),
    promised: iso(promised_at),
    done: iso(done_at),
    nextTry: iso(due_at),
  };
}

const iso = (timeMs: number | null) => (timeMs === null ? null : new Date(timeMs).toISOString());

/** One line of `aval outbox list`. */
export function entryLine(entry: ReturnType<typeof outboxEntry>): string {
  const { reference, received, kind, channel, mode, state, suspect, confirmation, tries, note } = entry;
  const { webhook, webhook_note } = entry;
  const lastFault = webhook_note === null ? '' : `, last ${webhook_note}`;
  const notes = [
    suspect ? 'suspect' : '',
    confirmation === 'none' ? '' : `confirmation ${confirmation}`,
    webhook === 'none' || webhook === 'delivered' ? '' : `webhook ${webhook}${lastFault}`,
    tries > 0 && state !== 'delivered' ? `${tries} failed, last ${note}` : '',
  ].filter(text => text !== '');
  const columns = [kind.padEnd(10), channel.padEnd(5), mode.padEnd(10), state.padEnd(9)];
  return [reference, received, ...columns, notes.join(', ')].join('  ').trimEnd();
}
