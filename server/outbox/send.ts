import { codeOf } from '../../brand/profile/thrown.ts';
import { sleep } from './clock.ts';
import { admitConfirmation } from './confirmation.ts';
import { type Delivery, markDelivered, plan } from './deliveries.ts';
import { inlinePause, nextTry } from './schedule.ts';
import { type Failure, failureOf, type OutboxParts, SENDERS } from './senders.ts';
import type { Part, Stored } from './stored-submission.ts';

/**
 * Sends the team's mail of a submission that this process has leased, while a request waits: with retries
 * inside the budget.
 * @returns what went wrong last
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

/** One try of a leased delivery; records it where it arrived. @returns what went wrong */
export async function sendOnce(
  parts: OutboxParts,
  record: Stored,
  part: Part,
  stopping: AbortSignal,
): Promise<Failure | undefined> {
  const { reference, fields } = record;
  // Another program has written what stands there: it keeps no other from its mail.
  if (fields === null) return { kind: 'permanent', code: 'unreadable' };
  let reply: string | undefined;
  try {
    reply = await SENDERS[part](parts, { ...record, fields }, stopping);
  } catch (error) {
    return failureOf(error);
  }
  // If this is not recorded, it is sent again under the same id. No submission gets lost.
  await noteDelivered(parts, record, part, reply ?? null).catch(cause =>
    parts.log('error', 'outcome not noted', { reference, alarm: true, cause: codeOf(cause) }),
  );
  return undefined;
}

/** Longer than a transaction waits for its turn. */
const ADMITTED_WITHIN_MS = 30_000;

/**
 * Once the team has its mail, the confirmation is due: now, later, or never. The bounds on confirmations are
 * asked one after the other for the whole service, so what has arrived is noted before.
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
    // The background admits it, should this process end or wait too long for its turn.
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
 * Plans the next try of what failed. The team's mail is owed until it arrives; a confirmation and an event
 * are given up after 48 hours, or where they are refused for good.
 */
export async function planNext(
  parts: OutboxParts,
  record: Stored,
  { part, tries: triesBefore, note: noteBefore }: Pick<Delivery, 'part' | 'tries' | 'note'>,
  failure: Failure,
): Promise<void> {
  const { store, schedule, clock, log, lookIn } = parts;
  const { id, reference, kind: action, received_at: receivedAtMs } = record;
  const { kind, code, reply } = failure;
  const tries = triesBefore + 1;
  const nowMs = clock.now();
  const reason = `${kind} ${code}`;
  const nextMs = nextTry({ receivedAtMs, tries, nowMs }, schedule);
  const isOver = part !== 'team' && (nextMs === null || kind === 'permanent');
  if (part === 'team') {
    const needsOperator = kind === 'configuration' || kind === 'permanent';
    // An alarm at once, and once: later tries that fail alike are lines of the log.
    const alarm = needsOperator && noteBefore !== reason && { alarm: true };
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
  if (dueAtMs !== null) lookIn(part, dueAtMs - nowMs);
}
