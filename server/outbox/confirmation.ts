import { mailAddress } from '../../tools/fields.ts';
import type { Log } from '../config/log.ts';
import type { MailSettings } from '../mail/message.ts';
import { domainOf } from '../mail/text.ts';
import type { HeldBack } from './confirmation-cap.ts';
import { mailboxOf } from './repeats.ts';
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

/** Says that a confirmation is sent later, or never. */
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
