import { createHash } from 'node:crypto';
import type { Submission } from '../../tools/deliver.ts';
import { type Entry, isPending } from './entry.ts';

/** What makes two submissions the same. */
export interface Identity {
  readonly clientHash: string;
  readonly bodyHash: string;
  readonly keyHash?: string;
}

export function identityOf({ kind, fields, clientHash, idempotencyKey }: Submission): Identity {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    clientHash,
    bodyHash: hash(JSON.stringify([kind, sorted])),
    ...(idempotencyKey !== undefined && { keyHash: hash(idempotencyKey) }),
  };
}

/**
 * The submission that this one repeats.
 * With an Idempotency-Key: the one with that key and body within 24 hours. A key with another body is a conflict for the
 * client that used it; for another client it is a coincidence ("1" is a popular key).
 * Without: the same body while it is still pending, from whatever address the person tries again.
 * What the operator abandoned is repeated by nothing.
 */
export function repeatOf(entries: Iterable<Entry>, identity: Identity, nowMs: number): Entry | 'conflict' | undefined {
  const { clientHash, bodyHash, keyHash } = identity;
  let found: Entry | 'conflict' | undefined;
  for (const entry of entries) {
    const isSameBody = entry.bodyHash === bodyHash;
    if (keyHash === undefined) {
      if (isSameBody && isPending(entry)) return entry;
      continue;
    }
    if (entry.keyHash !== keyHash || entry.abandoned || nowMs - entry.receivedAtMs >= KEY_LIFETIME_MS) continue;
    if (isSameBody) return entry;
    if (entry.clientHash === clientHash) found = 'conflict';
  }
  return found;
}

const KEY_LIFETIME_MS = 24 * 3_600_000;

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
