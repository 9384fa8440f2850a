import { createHash, randomInt } from 'node:crypto';
import type { Mode, Submission } from '../../tools/deliver.ts';
import { type Query, sql } from './sql.ts';
import { type Stored, stored } from './stored-submission.ts';

/** An Idempotency-Key as the store keeps it, with the body that it came with and the client that used it. */
export interface Key {
  readonly client: string;
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** The key of a submission; `undefined`: it has none, so it repeats nothing. */
export function keyOf({ kind, fields, idempotencyKey, clientHash: client }: Submission): Key | undefined {
  if (idempotencyKey === undefined) return undefined;
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return { client, keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify([kind, sorted])) };
}

const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * The submission with the same key and body within 24 hours. A key with another body is a conflict for the client that used
 * it; for another client it is a coincidence ("1" is a popular key). What was erased has no key any more.
 */
export async function repeatOf(
  query: Query,
  { client, keyHash, bodyHash }: Key,
  { mode, nowMs }: { readonly mode: Mode; readonly nowMs: number },
): Promise<Stored | 'conflict' | undefined> {
  const rows = await query(sql`
    SELECT * FROM submissions WHERE key_hash = ${keyHash} AND mode = ${mode}
      AND received_at > ${nowMs - KEY_LIFETIME_MS}`);
  const same = rows.find(row => row.body_hash === bodyHash);
  if (same) return stored(same);
  return rows.some(row => row.client_key === client) ? 'conflict' : undefined;
}

/** One mailbox, as a hash: `Ana+x@Example.org` is `ana@example.org`, and Gmail reads no dots before the @. */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

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
