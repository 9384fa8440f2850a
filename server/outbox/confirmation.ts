import { SERVICE } from '../../tools/service-facts.ts';
import { DAY_MS, HOUR_MS } from '../config/timing.ts';
import { plan } from './deliveries.ts';
import { CLOCK_STEP_MS } from './hourly-limits.ts';
import type { OutboxParts } from './senders.ts';
import { type Query, sql, words } from './sql.ts';
import type { Stored } from './stored-submission.ts';

/** Why a confirmation is not sent: for good, or until a time. */
interface HeldBack {
  readonly reason: string;
  readonly untilMs?: number;
}

/** The longest wait of a confirmation for room under the bounds. */
const WAITS_FOR_MS = 48 * HOUR_MS;

/**
 * Makes a confirmation due, or holds it back: over a bound it waits for room, at most 48 hours. Call it in a
 * transaction with the name `confirmations`.
 * @returns whether it may be sent
 */
export async function admitConfirmation(
  query: Query,
  record: Stored,
  { store, clock, log }: OutboxParts,
): Promise<boolean> {
  const { id, reference, kind } = record;
  const nowMs = clock.now();
  const heldBack = await fullBound(query, record, nowMs);
  if (!heldBack) {
    // If a process has leased it, it keeps the lease and sends it now.
    await query(sql`
      UPDATE deliveries SET state = 'pending', due_at = ${nowMs}, planned_at = ${nowMs}, note = NULL
      WHERE submission = ${id} AND part = 'confirm' AND done_at IS NULL`);
    await query(sql`UPDATE submissions SET confirmed_at = ${nowMs} WHERE id = ${id}`);
    return true;
  }
  const { reason, untilMs } = heldBack;
  const isSkipped = untilMs === undefined;
  const state = isSkipped ? 'skipped' : 'waiting';
  const next = { state, tries: 0, dueAtMs: untilMs ?? null, note: reason } as const;
  const { leaseholder } = store;
  await plan(query, { submission: id, part: 'confirm' }, { ...next, leaseholder, nowMs });
  if (isSkipped) log('info', 'confirmation skipped', { reference, kind, reason });
  else log('info', 'confirmation waits', { reference, kind, reason, until: new Date(untilMs).toISOString() });
  return false;
}

const { perHour, perDay, perNetworkHour, perServiceHour } = SERVICE.confirmations;

/** Bounds on mail to strangers: anybody can type a stranger's address into the form. */
const BOUNDS = [
  { column: 'mailbox', quota: perHour, windowMs: HOUR_MS, of: 'an hour to this mailbox' },
  { column: 'mailbox', quota: perDay, windowMs: DAY_MS, of: 'a day to this mailbox' },
  { column: 'client_network', quota: perNetworkHour, windowMs: HOUR_MS, of: 'an hour from this network' },
  { column: undefined, quota: perServiceHour, windowMs: HOUR_MS, of: 'an hour from this service' },
] as const;

/**
 * The full bound that frees last, and when it frees. A confirmation that has waited two days is given up.
 */
async function fullBound(
  query: Query,
  { id, confirmation, received_at }: Stored,
  nowMs: number,
): Promise<HeldBack | undefined> {
  const full: Required<HeldBack>[] = [];
  for (const { column, quota, windowMs, of } of BOUNDS) {
    const sameSender =
      column === undefined
        ? sql``
        : sql`${words(column)} = (SELECT ${words(column)} FROM submissions WHERE id = ${id}) AND`;
    const [oldest] = await query(sql`
      SELECT confirmed_at FROM submissions
      WHERE ${sameSender} confirmed_at > ${nowMs - windowMs} AND confirmed_at <= ${nowMs + CLOCK_STEP_MS}
      ORDER BY confirmed_at DESC LIMIT 1 OFFSET ${quota - 1}`);
    if (oldest) full.push({ reason: `${quota} ${of}`, untilMs: Number(oldest.confirmed_at) + windowMs });
  }
  const [longest] = full.sort((a, b) => b.untilMs - a.untilMs);
  const isLate = confirmation === 'waiting' && nowMs - received_at >= WAITS_FOR_MS;
  return longest && isLate ? { reason: longest.reason } : longest;
}
