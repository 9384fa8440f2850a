import { mailAddress } from '../../tools/fields.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Log } from '../config/log.ts';
import { readMailbox, splitAddresses } from '../config/mail-address.ts';
import type { MailSettings } from '../mail/message.ts';
import { type Query, sql, words } from './sql.ts';
import { mailboxOf } from './store.ts';
import type { Stored } from './stored-submission.ts';

/** Why nobody gets a confirmation, even within the caps; `undefined`: no reason. */
export function skipReason(
  { fields }: Pick<Stored, 'fields'>,
  { from, team }: MailSettings,
): string | undefined {
  const address = mailAddress(fields?.email ?? '');
  if (address === undefined) return 'no plain address';
  const ours = [from, ...splitAddresses(team)].map(text => mailboxOf(readMailbox(text)?.address ?? text));
  const mailbox = mailboxOf(address);
  // A confirmation to our own mailbox could start a loop.
  if (ours.includes(mailbox)) return 'our own address';
  const [local = '', domain] = mailbox.split('@');
  const isRole = ROLES.has(local) && ours.some(one => one.endsWith(`@${domain}`));
  return isRole ? 'a role address of our own domain' : undefined;
}

export function tellHeldBack(
  log: Log,
  which: Pick<Stored, 'reference' | 'kind'>,
  { reason, untilMs }: HeldBack,
): void {
  if (untilMs === undefined) log('info', 'confirmation skipped', { ...which, reason });
  else log('info', 'confirmation waits', { ...which, reason, until: new Date(untilMs).toISOString() });
}

/** Mailboxes of RFC 2142, and other usual ones. */
const ROLES = new Set(
  'abuse admin administrator contact contacto hello help hola hostmaster info mailer-daemon marketing no-reply noc noreply postmaster root sales security soporte support webmaster www'.split(
    ' ',
  ),
);

const HOUR_MS = 3_600_000;
const { perHour, perDay, perNetworkHour, perServiceHour } = SERVICE.confirmations;

/** Anybody can type a stranger's address into the form: these bound what strangers get. */
const BOUNDS = [
  { column: 'mailbox', quota: perHour, windowMs: HOUR_MS, of: 'an hour to this mailbox' },
  { column: 'mailbox', quota: perDay, windowMs: 24 * HOUR_MS, of: 'a day to this mailbox' },
  { column: 'client_network', quota: perNetworkHour, windowMs: HOUR_MS, of: 'an hour from this network' },
  { column: undefined, quota: perServiceHour, windowMs: HOUR_MS, of: 'an hour from this service' },
] as const;

/** What keeps a confirmation back: for good, or until a time. */
export interface HeldBack {
  readonly reason: string;
  readonly untilMs?: number;
}

/**
 * The bound that leaves no room for the confirmation of a submission for longest, and when the oldest of as
 * many as fit is out of its window.
 */
export async function capOf(
  query: Query,
  id: string,
  nowMs: number,
): Promise<Required<HeldBack> | undefined> {
  const full: Required<HeldBack>[] = [];
  for (const { column, quota, windowMs, of } of BOUNDS) {
    const alike =
      column === undefined
        ? sql``
        : sql`${words(column)} = (SELECT ${words(column)} FROM submissions WHERE id = ${id}) AND`;
    const [oldest] = await query(sql`
      SELECT confirmed_at FROM submissions WHERE ${alike} confirmed_at > ${nowMs - windowMs}
      ORDER BY confirmed_at DESC LIMIT 1 OFFSET ${quota - 1}`);
    if (oldest) full.push({ reason: `${quota} ${of}`, untilMs: Number(oldest.confirmed_at) + windowMs });
  }
  return full.sort((a, b) => b.untilMs - a.untilMs)[0];
}
