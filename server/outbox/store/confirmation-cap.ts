import { SERVICE } from '../../../tools/service-facts.ts';
import { NOTHING, type Query, type Sql, sql } from '../../database/sql.ts';
import { recipientOf } from './repeats.ts';
import type { Stored } from './stored-submission.ts';

/** Anybody can type a stranger's address into the form: this bounds what the stranger gets. */
const PER_RECIPIENT = { quota: SERVICE.confirmationsPerDay, windowMs: 24 * 3_600_000 };
const IN_ALL = { quota: SERVICE.confirmationsPerHour, windowMs: 3_600_000 };

/** What keeps a confirmation back: for good, or until a time. */
export interface HeldBack {
  readonly reason: string;
  readonly untilMs?: number;
}

/** The bound that leaves no room for one more confirmation, and when there will be some. */
export async function capOf(query: Query, { fields }: Stored, nowMs: number): Promise<Required<HeldBack> | undefined> {
  const recipient = recipientOf(fields?.email ?? '');
  const toRecipient = await fullUntil(query, PER_RECIPIENT, nowMs, sql`recipient = ${recipient} AND`);
  if (toRecipient !== undefined)
    return { reason: `${PER_RECIPIENT.quota} a day to this address`, untilMs: toRecipient };
  const inAll = await fullUntil(query, IN_ALL, nowMs, NOTHING);
  return inAll === undefined ? undefined : { reason: `${IN_ALL.quota} an hour in all`, untilMs: inAll };
}

/** When the oldest of as many confirmations as fit is out of the window; `undefined`: there is room now. */
async function fullUntil(
  query: Query,
  { quota, windowMs }: Record<'quota' | 'windowMs', number>,
  nowMs: number,
  which: Sql,
) {
  const [row] = await query(sql`
    SELECT confirmed_at FROM submissions WHERE ${which} confirmed_at > ${nowMs - windowMs}
    ORDER BY confirmed_at DESC LIMIT 1 OFFSET ${quota - 1}`);
  return row === undefined ? undefined : Number(row.confirmed_at) + windowMs;
}
