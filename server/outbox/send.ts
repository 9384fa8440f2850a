import { codeOf } from '../../brand/profile/thrown.ts';
import { sleep } from '../config/timing.ts';
import { mailFix } from '../mail/mail-fix.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, markDelivered, plan } from './deliveries.ts';
import { inlinePause, nextTry } from './schedule.ts';
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
  const failures: Failure[] = [];
  if (breaker.waitMs() > 0) return NOT_TRIED;
  while (!closing.aborted) {
    const failure = await sendOnce(parts, record, 'team', closing);
    if (!failure) return undefined;
    failures.push(failure);
    const pauseMs = inlinePause(failures, schedule, clock.random);
    if (pauseMs === undefined || clock.monotonic() + pauseMs + schedule.attemptTimeoutMs > endsAtMs) break;
    await sleep(clock, pauseMs, closing);
  }
  return failures.at(-1) ?? NOT_TRIED;
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
  { store, mail, log, clock }: OutboxParts,
  record: Stored,
  part: Part,
  reply: string | null,
): Promise<void> {
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
    .exclusively(['confirmations'], query => admitConfirmation(query, record, { ...store, mail, log, nowMs }))
    .catch(cause => log('warn', 'confirmation waits', { reference, cause: codeOf(cause) }));
}

/**
 * Plans the next try of a failed delivery. The team's mail stays pending until it arrives. A confirmation or
 * an event is given up after 48 hours, or at a permanent refusal.
 */
export async function planNext(
  parts: OutboxParts,
  record: Stored,
  { part, tries: triesBefore, note: noteBefore }: Pick<Delivery, 'part' | 'tries' | 'note'>,
  failure: Failure,
): Promise<void> {
  const { store, schedule, clock, log, wake } = parts;
  const { id, reference, kind: action, received_at: receivedAtMs } = record;
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
