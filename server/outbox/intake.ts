import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Deliver, Submission } from '../../tools/deliver.ts';
import { planTeam } from './delivery.ts';
import { type OutboxParts, sendInTime } from './sender.ts';
import { DatabaseRefused } from './sql.ts';
import { find, type Received, receive } from './store.ts';
import type { Stored } from './stored-submission.ts';

/** Commits first, then mails. After the commit the submission cannot get lost, and the answer says so whatever fails. */
export function createIntake(parts: OutboxParts): Deliver {
  const { store, open, schedule, clock, log, closing, lookIn } = parts;
  return async submission => {
    const received = closing.aborted ? undefined : await keep(submission);
    if (received === undefined) return { outcome: 'not-kept' };
    if (received === 'conflict') return { outcome: 'conflict' };
    const { id, reference, kind, channel } = received.record;
    const request = submission.requestId;
    if (received.isNew) log('info', 'submission received', { reference, kind, channel, request });
    const outcome = await send(received).catch(cause => {
      log('error', 'submission kept', { reference, kind, request, cause: codeOf(cause), alarm: true });
      return 'kept' as const;
    });
    log('info', 'submission', { reference, kind, channel, outcome, request });
    // The delivery may have changed what was planned for the confirmation. Where that cannot be read, the plan stands.
    const { confirmation } = (await find(store.database, id).catch(() => undefined)) ?? received.record;
    return { outcome, id, reference, confirmation };
  };

  async function keep(submission: Submission): Promise<Received | 'conflict' | undefined> {
    try {
      await open();
      return await receive(store, submission, clock.now());
    } catch (cause) {
      const fix = cause instanceof DatabaseRefused && { fix: cause.message };
      const { kind, requestId: request } = submission;
      log('error', 'submission not kept', { kind, request, cause: codeOf(cause), ...fix, alarm: true });
      return undefined;
    }
  }

  async function send({ record, isNew }: Received) {
    if (!isNew) return record.state === 'pending' ? attach(record) : 'replayed';
    const failure = await sendInTime(parts, record);
    if (failure) await planTeam(parts, record, failure);
    else lookIn(0);
    return failure ? 'kept' : 'delivered';
  }

  /** A repeat sends nothing. While some process is sending the first, it waits for the outcome. */
  async function attach({ id }: Stored) {
    for (const endsAt = performance.now() + schedule.inlineBudgetMs; ; await setTimeout(LOOK_EVERY_MS)) {
      const now = await find(store.database, id);
      if (now?.state === 'delivered') return 'delivered';
      const isBeingSent = now?.state === 'pending' && (now.lease_until ?? 0) > clock.now();
      if (!isBeingSent || performance.now() > endsAt) return 'kept';
    }
  }
}

const LOOK_EVERY_MS = 50;
