import { createHash, randomInt } from 'node:crypto';
import type { Submission } from '../../tools/deliver.ts';

/** What makes two submissions the same. */
export interface Identity {
  readonly bodyHash: string;
  readonly keyHash: string | null;
}

export function identityOf({
  kind,
  fields,
  idempotencyKey,
}: Pick<Submission, 'kind' | 'fields' | 'idempotencyKey'>): Identity {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    bodyHash: hash(JSON.stringify([kind, sorted])),
    keyHash: idempotencyKey === undefined ? null : hash(idempotencyKey),
  };
}

/** One mailbox, as a hash: `Ana+x@Example.org` is `ana@example.org`, and Gmail reads no dots before the @. */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

/** The mailbox behind the spellings of an address. */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const plain = local.replace(/\+.*$/, '');
  return GMAIL.has(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/** `ABCD-1234`, by chance: no vowels, so no words, and no letter that is read as another. */
export function newReference(): string {
  const letters = Array.from({ length: 4 }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join('');
  return `${letters}-${String(randomInt(10_000)).padStart(4, '0')}`;
}

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
