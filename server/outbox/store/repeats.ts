import { createHash, randomInt } from 'node:crypto';
import type { Mode, Submission } from '../../../tools/deliver.ts';
import { type Query, sql } from '../../database/sql.ts';
import { type Stored, stored } from './stored-submission.ts';

export type Identity = ReturnType<typeof identityOf>;

/** What makes two submissions the same, and who sent it, as the limits tell clients apart. */
export function identityOf({ kind, fields, idempotencyKey, clientHash: client }: Submission) {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    client,
    bodyHash: hash(JSON.stringify([kind, sorted])),
    keyHash: idempotencyKey === undefined ? null : hash(idempotencyKey),
  };
}

const KEY_LIFETIME_MS = 24 * 3_600_000;

/** An agent that lost an answer, or a person who clicks again, sends the same within this time. */
const REPEAT_WITHIN_MS = 10 * 60_000;

/**
 * The submission that another repeats. With an Idempotency-Key: the one with that key and body within 24 hours. A key with
 * another body is a conflict for the client that used it; for another client it is a coincidence ("1" is a popular key).
 * Without a key: the same body of the same client within ten minutes; and while it is still pending, of any client, since
 * people try again from elsewhere. Nothing repeats what the operator abandoned.
 */
export async function repeatOf(
  query: Query,
  { client, bodyHash, keyHash }: Identity,
  { mode, nowMs }: { readonly mode: Mode; readonly nowMs: number },
): Promise<Stored | 'conflict' | undefined> {
  if (keyHash === null) {
    // Two statements in one, each on an index of its own: an OR would read the whole table.
    const [same] = await query(sql`
      SELECT * FROM submissions WHERE body_hash = ${bodyHash} AND state = 'pending' AND mode = ${mode}
      UNION ALL
      SELECT * FROM submissions WHERE received_at > ${nowMs - REPEAT_WITHIN_MS} AND client_key = ${client}
        AND body_hash = ${bodyHash} AND state = 'delivered' AND mode = ${mode}
      LIMIT 1`);
    return same && stored(same);
  }
  const rows = await query(sql`
    SELECT * FROM submissions WHERE key_hash = ${keyHash} AND mode = ${mode} AND state <> 'abandoned'
      AND received_at > ${nowMs - KEY_LIFETIME_MS}`);
  const same = rows.find(row => row.body_hash === bodyHash);
  if (same) return stored(same);
  return rows.some(row => row.client_key === client) ? 'conflict' : undefined;
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
