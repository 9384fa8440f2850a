import { createHash } from 'node:crypto';

export const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * One person's mailbox, as a hash: `Ana+x@Example.org` is `ana@example.org`, and Gmail reads no dots before
 * the @.
 */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

/**
 * The mailbox as confirmations are counted: several hosts read no dots, so none counts. Two people may share
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
