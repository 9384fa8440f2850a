import { codeOf } from '../../brand/profile/thrown.ts';
import type { DeliverOutcome, Submission } from '../../tools/deliver.ts';
import { sleep } from '../config/timing.ts';
import { type Kept, type Received, receive } from './receive.ts';
import { planNext, sendInTime } from './send.ts';
import type { OutboxParts } from './senders.ts';
import { DatabaseRefused } from './sql.ts';
import { find, type Stored } from './stored-submission.ts';

const LOOK_EVERY_MS = 50;

/**
 * Commits a submission first, then mails it. After the commit it cannot get lost, and the answer says so even
 * if the mail fails.
 */
export async function takeIn(parts: OutboxParts, submission: Submission): Promise<DeliverOutcome> {
  const received = parts.closing.aborted ? undefined : await commit(parts, submission);
  if (received === undefined) return { outcome: 'not-kept' };
  return 'record' in received ? answer(parts, submission, received) : received;
}

async function commit(parts: OutboxParts, submission: Submission): Promise<Received | undefined> {
  const { store, open, clock, schedule, log, databaseState } = parts;
  try {
    await open();
    return await receive(store, submission, clock.now);
  } catch (cause) {
    const fix = cause instanceof DatabaseRefused && { fix: cause.message };
    const { kind, requestId: request } = submission;
    log('error', 'submission not kept', { kind, request, cause: codeOf(cause), ...fix, alarm: true });
    databaseState.failed(cause);
    parts.wake('team', schedule.reopenAfterMs);
    return undefined;
  }
}

async function answer(
  parts: OutboxParts,
  { requestId: request }: Submission,
  { isNew, record, limits }: Kept,
): Promise<DeliverOutcome> {
  const { store, log } = parts;
  const { id, reference, kind, channel } = record;
  if (isNew) log('info', 'submission received', { reference, kind, channel, request });
  const sending = isNew ? sendNew(parts, record) : outcomeOf(parts, record);
  const outcome = await sending.catch(cause => {
    log('error', 'submission kept', { reference, kind, request, cause: codeOf(cause), alarm: true });
    return 'kept' as const;
  });
  log('info', 'submission', { reference, kind, channel, outcome, request });
  // The delivery may have changed the state of the confirmation. If it cannot be read, use the old state.
  const { confirmation } = (await find(store.database.query, id).catch(() => undefined)) ?? record;
  return { outcome, reference, confirmation, limits };
}

async function sendNew(parts: OutboxParts, record: Stored) {
  parts.wake('webhook', 0);
  const failure = await sendInTime(parts, record);
  if (!failure) {
    parts.wake('confirm', 0);
    return 'delivered';
  }
  const { tries, note, received_at: planned_at } = record;
  await planNext(parts, record, { part: 'team', tries, note, planned_at }, failure);
  return 'kept';
}

/** The outcome of a repeat, which sends nothing. It waits while a process sends the first one. */
async function outcomeOf({ store, schedule, clock, closing }: OutboxParts, { id, state }: Stored) {
  if (state !== 'pending') return 'replayed';
  const endsAtMs = clock.monotonic() + schedule.inlineBudgetMs;
  for (;;) {
    const record = await find(store.database.query, id);
    if (record?.state === 'delivered') return 'delivered';
    const isBeingSent = record?.state === 'pending' && (record.lease_until ?? 0) > clock.now();
    if (!isBeingSent || closing.aborted || clock.monotonic() > endsAtMs) return 'kept';
    await sleep(clock, LOOK_EVERY_MS, closing);
  }
}
