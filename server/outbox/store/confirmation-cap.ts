import { SERVICE } from '../../../tools/service-facts.ts';
import { type Query, sql } from '../../database/sql.ts';
import { recipientOf } from './identity.ts';
import type { Stored } from './stored-submission.ts';

/** Anybody can type a stranger's address into the form: this bounds what the stranger gets. */
const PER_RECIPIENT = { quota: SERVICE.confirmationsPerDay, windowMs: 24 * 3_600_000 };
const IN_ALL = { quota: 30, windowMs: 3_600_000 };

/** The cap that leaves no room for one more confirmation. */
export async function capOf(query: Query, { fields }: Stored, nowMs: number): Promise<string | undefined> {
  const recipient = recipientOf(fields?.email ?? '');
  const [row] = await query(sql`
    SELECT
      SUM(CASE WHEN recipient = ${recipient} THEN 1 ELSE 0 END) AS to_recipient,
      SUM(CASE WHEN confirmed_at > ${nowMs - IN_ALL.windowMs} THEN 1 ELSE 0 END) AS in_all
    FROM submissions WHERE confirmed_at > ${nowMs - PER_RECIPIENT.windowMs}`);
  if (Number(row?.to_recipient) >= PER_RECIPIENT.quota) return `${PER_RECIPIENT.quota} a day to this address`;
  if (Number(row?.in_all) >= IN_ALL.quota) return `${IN_ALL.quota} an hour in all`;
  return undefined;
}
