import { codeOf } from '../../brand/profile/thrown.ts';
import { sleep } from '../config/timing.ts';
import { mailFix } from '../mail/mail-fix.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, markDelivered, plan } from './deliveries.ts';
import { nextTry } from './schedule.ts';
import { type Failure, failureOf, type OutboxParts, SENDERS } from './senders.ts';
import type { Part, Stored } from './stored-submission.ts';

/**
 * Sends the team's mail of a submission while its request waits, with retries within `inlineBudgetMs`. This
 * process must have the lease.
 * @returns the last failure; undefined if the mail was sent
 */
export async function sendInTime(parts: OutboxParts, record: Stored): Promise<Failure | undefined> {
  const { breaker, schedule, clock, closing } = parts;
  const endsAtMs = clock.monotonic() + schedule.inlineBudgetMs;
  let failure = NOT_TRIED;
  if (breaker.waitMs() > 0) return failure;
  for (const pauseMs of [0, ...schedule.inlinePausesMs]) {
    if (clock.monotonic() + pauseMs + schedule.attemptTimeoutMs > endsAtMs) break;
    await sleep(clock, pauseMs, closing);
    if (closing.aborted) break;
    const tried = await sendOnce(parts, record, 'team', closing);
    if (!tried) return undefined;
    failure = tried;
    // A mail that may have been sent waits for the background; a refusal would repeat.
    if (failure.kind !== 'temporary') break;
  }
  return failure;
}

const NOT_TRIED: Failure = { kind: 'temporary', code: 'not-tried' };

/** Tries a leased delivery once, and records a success. @returns the failure, if any */
export async function sendOnce(
  parts: OutboxParts,
  record: Stored,
  part: Part,
  stopping: AbortSignal,
): Promise<Failure | undefined> {
  const { reference, fields } = record;
  // Another program has written the row. It must not stop other mails.
  if (fields === null) return { kind: 'permanent', code: 'unreadable' };
  let reply: string | undefined;
  try {
    reply = await SENDERS[part](parts, { ...record, fields }, stopping);
  } catch (error) {
    return failureOf(error);
  }
  // If this cannot be recorded, the mail is sent again with the same Message-Id.
  await noteDelivered(parts, record, part, reply ?? null).catch(cause =>
    parts.log('error', 'outcome not noted', { reference, alarm: true, cause: codeOf(cause) }),
  );
  return undefined;
}

/** Time for the bounds on confirmations: longer than a transaction waits for its turn. */
const ADMITTED_WITHIN_MS = 30_000;

/**
 * Records an arrived delivery. After the team's mail it also decides whether the confirmation is due now,
 * later or never. That waits for other confirmations of the service, so the arrival is recorded first.
 */
async function noteDelivered(
  parts: OutboxParts,
  record: Stored,
  part: Part,
  reply: string | null,
): Promise<void> {
  const { store, log, clock } = parts;
  const { database, leaseholder } = store;
  const { id, reference, confirmation } = record;
  const nowMs = clock.now();
  const isAdmitting = await database.exclusively([`submission ${id}`], async query => {
    const wasOwed = await markDelivered(query, id, part, { reply, nowMs });
    if (part !== 'team' || !wasOwed || confirmation !== 'pending') return false;
    // If this process ends or waits too long, a round decides later.
    const later = { state: 'waiting', tries: 0, dueAtMs: nowMs + ADMITTED_WITHIN_MS, note: null } as const;
    await plan(query, { submission: id, part: 'confirm' }, { ...later, leaseholder, nowMs });
    return true;
  });
  if (!isAdmitting) return;
  await database
    .exclusively(['confirmations'], query => admitConfirmation(query, record, parts))
    .catch(cause => log('warn', 'confirmation waits', { reference, cause: codeOf(cause) }));
}

/**
 * Plans the next try of a failed delivery. The team's mail stays pending until it arrives. A confirmation or
 * an event is given up after 48 hours, or at a permanent refusal.
 */
export async function planNext(
  parts: OutboxParts,
  record: Stored,
  { part, tries: triesBefore, note: noteBefore, planned_at }: Omit<Delivery, 'submission' | 'state'>,
  failure: Failure,
): Promise<void> {
  const { store, schedule, clock, log, wake } = parts;
  const { id, reference, kind: action, received_at: receivedAtMs, promised_at } = record;
  const { kind, code, reply } = failure;
  const tries = triesBefore + 1;
  const nowMs = clock.now();
  const reason = `${kind} ${code}`;
  const nextMs = nextTry({ receivedAtMs, tries, nowMs }, schedule);
  const isOver = part !== 'team' && (nextMs === null || kind === 'permanent');
  if (part === 'team') {
    const needsOperator = kind === 'configuration' || kind === 'permanent';
    // One alarm, at the first failure of a kind. Later ones are log lines only.
    const alarm = needsOperator && noteBefore !== reason && { fix: mailFix(code), alarm: true };
    const line = { reference, kind: action, tries, outcome: kind, code, ...alarm };
    log(needsOperator ? 'error' : 'warn', 'mail failed', line);
    // Once: by the first failure after the promised time.
    const isNewlyOverdue = planned_at < promised_at && promised_at <= nowMs;
    if (isNewlyOverdue) log('error', 'submission overdue', { reference, kind: action, alarm: true });
  }
  if (isOver && part === 'confirm') log('warn', 'confirmation given up', { reference, outcome: kind, code });
  if (isOver && part === 'webhook') log('error', 'webhook given up', { reference, code, alarm: true });
  const dueAtMs = isOver ? null : nextMs;
  await plan(
    store.database.query,
    { submission: id, part },
    {
      state: isOver ? 'failed' : 'pending',
      tries,
      dueAtMs,
      note: reason,
      reply: reply ?? null,
      leaseholder: store.leaseholder,
      nowMs,
    },
  );
  if (dueAtMs !== null) wake(part, dueAtMs - nowMs);
}
