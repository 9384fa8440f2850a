import { mailAddress } from '../../tools/fields.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Log } from '../config/log.ts';
import type { MailSettings } from '../mail/message.ts';
import { domainOf } from '../mail/text.ts';
import { mailboxOf } from './repeats.ts';
import { type Query, sql } from './sql.ts';
import type { Stored } from './stored-submission.ts';

/** Why nobody gets a confirmation, even within the caps; `undefined`: no reason. */
export function skipReason({ fields }: Pick<Stored, 'fields'>, { from, team }: MailSettings): string | undefined {
  const address = mailAddress(fields?.email ?? '');
  if (address === undefined) return 'no plain address';
  const ours = [from, ...team.split(',')];
  const mailbox = mailboxOf(address);
  if (ours.some(one => mailboxOf(bare(one)) === mailbox)) return 'our own address';
  const isRole = ROLES.has(mailbox.split('@')[0] ?? '') && ours.some(one => domainOf(one) === domainOf(address));
  // A confirmation to our own mailbox could start a loop.
  return isRole ? 'a role address of our own domain' : undefined;
}

export function tellHeldBack(log: Log, which: Pick<Stored, 'reference' | 'kind'>, { reason, untilMs }: HeldBack): void {
  if (untilMs === undefined) log('info', 'confirmation skipped', { ...which, reason });
  else log('info', 'confirmation waits', { ...which, reason, until: new Date(untilMs).toISOString() });
}

/** `Name <local@domain>` → `local@domain`. */
const bare = (address: string) => (/<([^>]*)>/.exec(address)?.[1] ?? address).trim();

/** Mailboxes of RFC 2142, and other usual ones. */
const ROLES = new Set(
  'abuse admin administrator contact contacto hello help hola hostmaster info mailer-daemon marketing no-reply noc noreply postmaster root sales security soporte support webmaster www'.split(
    ' ',
  ),
);

const HOUR_MS = 3_600_000;
const { perHour, perDay, perNetworkHour } = SERVICE.confirmations;

/** Anybody can type a stranger's address into the form: these bound what strangers get. */
const BOUNDS = [
  { column: 'recipient', quota: perHour, windowMs: HOUR_MS, of: 'an hour to this address' },
  { column: 'recipient', quota: perDay, windowMs: 24 * HOUR_MS, of: 'a day to this address' },
  { column: 'client_network', quota: perNetworkHour, windowMs: HOUR_MS, of: 'an hour from this network' },
] as const;

/** What keeps a confirmation back: for good, or until a time. */
export interface HeldBack {
  readonly reason: string;
  readonly untilMs?: number;
}

/** The bound that leaves no room for the confirmation of a submission for longest, and when there will be some. */
export async function capOf(query: Query, id: string, nowMs: number): Promise<Required<HeldBack> | undefined> {
  let longest: Required<HeldBack> | undefined;
  for (const bound of BOUNDS) {
    const untilMs = await fullUntil(query, bound, id, nowMs);
    if (untilMs > (longest?.untilMs ?? nowMs)) longest = { reason: `${bound.quota} ${bound.of}`, untilMs };
  }
  return longest;
}

/** When the oldest of as many confirmations as fit is out of the window; 0: there is room now. */
async function fullUntil(
  query: Query,
  { column, quota, windowMs }: (typeof BOUNDS)[number],
  id: string,
  nowMs: number,
): Promise<number> {
  const one = { text: column, values: [] };
  const [row] = await query(sql`
    SELECT confirmed_at FROM submissions
    WHERE ${one} = (SELECT ${one} FROM submissions WHERE id = ${id}) AND confirmed_at > ${nowMs - windowMs}
    ORDER BY confirmed_at DESC LIMIT 1 OFFSET ${quota - 1}`);
  return row === undefined ? 0 : Number(row.confirmed_at) + windowMs;
}
