import { createHash } from 'node:crypto';

export const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * The hash of a mailbox. `Ana+x@Example.org` is the mailbox `ana@example.org`; Gmail ignores dots before the
 * @.
 */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

/**
 * Hosts of one provider, where a name is one mailbox at each (proton.me/support/addresses-and-aliases;
 * Apple's three).
 */
const SAME_HOST = new Map([
  ['protonmail.com', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
  ['pm.me', 'proton.me'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
]);

/** `anything@ana.fastmail.com` is for `ana@fastmail.com` (fastmail.help, plus and subdomain addressing). */
const SUBDOMAIN = /^([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * The hash of a mailbox for the bounds on confirmations: without dots, hyphens and underscores, which several
 * hosts ignore. Two people may share one.
 */
export function countedMailboxOf(address: string): string {
  const [local = '', host = ''] = mailboxOf(address).split('@');
  const [, name = local, domain = host] = SUBDOMAIN.exec(host) ?? [];
  return hash(`${name.replace(/[._-]/g, '')}@${SAME_HOST.get(domain) ?? domain}`);
}

export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const plain = local.replace(/\+.*$/, '');
  return GMAIL.has(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);
