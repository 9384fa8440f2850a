import { createHash } from 'node:crypto';

export const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * The hash of a mailbox. `Ana+x@Example.org` is the mailbox `ana@example.org`; Gmail ignores dots before the
 * @.
 */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

/**
 * The mailbox for the bounds on confirmations, without dots, which several hosts ignore. Two people may share
 * one.
 */
export function countedMailboxOf(address: string): string {
  const [local = '', domain = ''] = mailboxOf(address).split('@');
  return hash(`${local.replaceAll('.', '')}@${domain}`);
}

export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const plain = local.replace(/\+.*$/, '');
  return GMAIL.has(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);
