import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { DeliverOutcome, Submission } from '../../tools/deliver.ts';
import { planTeam } from './delivery.ts';
import { createRefusals } from './refusals.ts';
import { type OutboxParts, sendInTime } from './sender.ts';
import { DatabaseRefused } from './sql.ts';
import { find, type Kept, type Received, receive } from './store.ts';
import type { Stored } from './stored-submission.ts';

const LOOK_EVERY_MS = 50;

/**
 * Commits first, then mails. After the commit the submission cannot get lost, and the answer says so whatever
 * fails.
 */
export function createIntake(parts: OutboxParts) {
  const { store, open, clock, schedule, log, closing, databaseState } = parts;
  const refusals = createRefusals({ ...clock, policies: store.policies });

  return async function deliver(submission: Submission): Promise<DeliverOutcome> {
    const refusal = refusals.find(submission);
    if (refusal) return { outcome: 'limited', limits: refusal };
    const received = closing.aborted ? undefined : await keep(submission);
    if (received === undefined) return { outcome: 'not-kept' };
    const { limits } = received;
    if (received.kind === 'limited') {
      refusals.add(submission, limits);
      return { outcome: 'limited', limits };
    }
    if (received.kind === 'conflict') {
      refusals.addConflict(submission);
      return { outcome: 'conflict', limits };
    }
    return answer(submission, received);
  };

  async function keep(submission: Submission): Promise<Received | undefined> {
    try {
      await open();
      return await receive(store, submission, clock.now);
    } catch (cause) {
      const fix = cause instanceof DatabaseRefused && { fix: cause.message };
      const { kind, requestId: request } = submission;
      log('error', 'submission not kept', { kind, request, cause: codeOf(cause), ...fix, alarm: true });
      databaseState.failed(cause);
      return undefined;
    }
  }

  async function answer(
    { requestId: request }: Submission,
    { kind: receivedAs, record, limits }: Kept,
  ): Promise<DeliverOutcome> {
    const { id, reference, kind, channel } = record;
    if (receivedAs === 'new') {
      log('info', 'submission received', { reference, kind, channel, request });
      parts.lookForWebhooks();
    }
    const sending = receivedAs === 'new' ? sendNew(record) : outcomeOf(record);
    const outcome = await sending.catch(cause => {
      log('error', 'submission kept', { reference, kind, request, cause: codeOf(cause), alarm: true });
      return 'kept' as const;
    });
    log('info', 'submission', { reference, kind, channel, outcome, request });
    // The delivery may have changed what was planned for the confirmation. Where that cannot be read, the
    // plan stands.
    const { confirmation } = (await find(store.database, id).catch(() => undefined)) ?? record;
    return { outcome, id, reference, confirmation, limits };
  }

  async function sendNew(record: Stored) {
    const failure = await sendInTime(parts, record);
    if (failure) await planTeam(parts, record, failure);
    else parts.lookIn(0);
    return failure ? 'kept' : 'delivered';
  }

  /** A repeat sends nothing. While some process is sending the first, it waits for the outcome. */
  async function outcomeOf({ id, state }: Stored) {
    if (state !== 'pending') return 'replayed';
    for (const endsAt = performance.now() + schedule.inlineBudgetMs; ; await setTimeout(LOOK_EVERY_MS)) {
      const now = await find(store.database, id);
      if (now?.state === 'delivered') return 'delivered';
      const isBeingSent = now?.state === 'pending' && (now.lease_until ?? 0) > clock.now();
      if (!isBeingSent || performance.now() > endsAt) return 'kept';
    }
  }
}
