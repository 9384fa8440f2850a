import { createHash } from 'node:crypto';
import { SERVICE } from '../../tools/service.ts';
import { domainOf } from '../mail/text.ts';
import type { Entry } from './entry.ts';

/** Anybody can type a stranger's address into the form: this bounds what the stranger gets. */
export interface ConfirmationCaps {
  /** Takes one of the recipient's and one of the service's confirmations; `false`: none is left, or none is due. */
  take(recipient: string, nowMs: number): boolean;
}

const PER_RECIPIENT = { quota: SERVICE.confirmationsPerDay, windowMs: 24 * 3_600_000 };
const IN_ALL = { quota: 30, windowMs: 3_600_000 };

/**
 * @param entries rebuild the counts: a confirmation was taken when the team's mail was accepted
 * @param ownAddresses of the service: mail to their domain's role addresses could answer itself for ever
 */
export function createConfirmationCaps(entries: Iterable<Entry>, ownAddresses: readonly string[]): ConfirmationCaps {
  const ownDomains = new Set(ownAddresses.map(domainOf));
  let taken: { readonly recipient: string; readonly atMs: number }[] = [];
  for (const { confirmation, deliveredAtMs, fields } of entries) {
    const isTaken = confirmation !== 'none' && confirmation !== 'skipped';
    if (isTaken && deliveredAtMs !== undefined && fields?.email !== undefined) {
      taken.push({ recipient: recipientKey(fields.email), atMs: deliveredAtMs });
    }
  }
  return {
    take(address, nowMs) {
      if (isRoleAddress(address, ownDomains)) return false;
      const recipient = recipientKey(address);
      taken = taken.filter(({ atMs }) => nowMs - atMs < PER_RECIPIENT.windowMs);
      const inAll = taken.filter(({ atMs }) => nowMs - atMs < IN_ALL.windowMs).length;
      const forRecipient = taken.filter(one => one.recipient === recipient).length;
      if (inAll >= IN_ALL.quota || forRecipient >= PER_RECIPIENT.quota) return false;
      taken.push({ recipient, atMs: nowMs });
      return true;
    },
  };
}

/** `Ana+x@Example.org` and `ana@example.org` are one mailbox; kept as a hash. */
function recipientKey(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  return createHash('sha256')
    .update(`${local.replace(/\+.*$/, '')}@${domain}`)
    .digest('base64url');
}

function isRoleAddress(address: string, ownDomains: ReadonlySet<string>): boolean {
  const local = address.toLowerCase().split('@')[0] ?? '';
  return ownDomains.has(domainOf(address)) && ROLES.has(local.replace(/\+.*$/, ''));
}

/** RFC 2142, and what is usual beside it. */
const ROLES = new Set(
  'abuse admin administrator contact contacto hello help hola hostmaster info mailer-daemon marketing no-reply noc noreply postmaster root sales security soporte support webmaster www'.split(
    ' ',
  ),
);
